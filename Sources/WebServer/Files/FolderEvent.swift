/// What is heard of a folder that is watched.
public enum FolderEvent: Sendable, Hashable {
  /// Something at this path, relative to the folder, was written, made, renamed or taken away; empty for the folder itself.
  case changed(String)
  /// A part of the folder cannot be watched, for the reason that the system gives: changes in it go unnoticed.
  case incomplete(reason: String)
}
