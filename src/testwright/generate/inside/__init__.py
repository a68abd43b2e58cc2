"""The explorer: runs in the project's interpreter, beside the code it explores. Standard library only."""
