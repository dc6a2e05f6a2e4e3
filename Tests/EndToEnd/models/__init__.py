"""Plain models of what Footbridge does: what its manual says, as short Python. Tests give the same random commands to a model and to the real
server, and compare.

- `catalogue`: what is sold
- `calendar`: when periods end
- `ledger`: orders and subscriptions of a store
- `app`: one app of this store: who is signed in, its sheets, its payment queue
- `delivery`: what reaches a page, whatever happens to its connection
- `bridge`: a declared bridge with its rules, gates and handlers
"""
