/// The message of a page that has caused what happens now.
package enum MessageCause {
  /// Its number among what has happened, such as its cursor in a journal; nil if no message is the cause. Tasks that start now have the same
  /// cause.
  @TaskLocal package static var current: Int?
}
