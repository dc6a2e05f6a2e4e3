// Nothing to call: to link this is enough.
