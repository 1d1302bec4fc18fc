"""Shared code of the tests, with commands that are run as `python -m tests.support.NAME`.

Pages as tests: `mdtest` checks their claims, `mdreplay` runs their programs, `pages` their commands; `mksite` is a hook
of the documentation site.

Models compared with the real libraries: `sampling` and `sampling_arguments` draw calls, `calls` keeps them as data,
`agreement` and `comparing` judge the answers. `oracle`, `layer_oracle` and `tree_oracle` are the libraries, each in a
process of its own (`child`), current or older ones (`environments`). `layer_samples` draws layers, `tree_tracer`
evaluates trees of calls, `stub_context` replaces the tracer.

The frontend: `frontend_samples` chooses files, `frontend_forms` makes trees comparable.

Commands: `docs`, `layers`, `messages`, `generate_signatures`, `generate_public_names`, `generate_dtypes`,
`generate_parameters`, `generate_core_parameters`, `generate_refused_dtypes` and `generate_refused_values` write
generated files, `differential` compares all models with all libraries, `environments` installs the older ones, `fuzz`
tries random and mutated programs, `promises` the fixes of all files below a folder.
"""
