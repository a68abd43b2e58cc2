"""The journey of a failure: from a text or an attempt to a verdict, and to the cause that many failures share."""
