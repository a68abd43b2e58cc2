"""What runs in the child, in whichever interpreter that is. Standard library only."""
