/// Where a string stands in JSON text, between its quotation marks.
struct JSONStringToken {
  let range: Range<Int>
  let hasEscapes: Bool
}
