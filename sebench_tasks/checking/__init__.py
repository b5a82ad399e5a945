"""The rules of the checker, one family in each file. `sebench_tasks.check` applies them."""
