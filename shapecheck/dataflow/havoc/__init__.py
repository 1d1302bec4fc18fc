"""What code that is not analysed may change: havoc, escape, and what is not initialized yet."""
