/// An error of OnsideKit without associated values; a page receives it as `{ <case>: {} }` (bridge reference, "Error envelope shape").
public protocol OnsideError: Error, RawRepresentable, Sendable, Hashable where RawValue == String {}
