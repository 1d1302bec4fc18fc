"""Edits that may remove a finding; the checker tries each of them before it is offered."""
