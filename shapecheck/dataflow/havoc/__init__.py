"""Havoc: forgetting the state that code which is not analysed may change."""
