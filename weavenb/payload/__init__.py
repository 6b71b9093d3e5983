"""What travels to a page, and what stays in a notebook without a kernel."""
