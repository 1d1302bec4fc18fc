"""Lists, dicts and other iterables: their items, joins and updates."""
