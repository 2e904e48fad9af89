"""Files as other programs and libraries write them, and what those read of them."""
