"""Faces: what people and programs meet. A face translates, calls and presents; it decides nothing."""
