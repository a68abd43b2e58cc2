"""A bakery's prices."""
