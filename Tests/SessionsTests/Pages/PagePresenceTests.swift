import Testing

@testable import Sessions

@Suite struct PagePresenceTests {
  @Test func `the first hello of a page is told from those after it`() {
    var presence = PagePresence(isKnown: false)
    #expect(!presence.hasGreeted && !presence.isKnown)
    let (first, second) = (presence.greeted(isEmbedded: false), presence.greeted(isEmbedded: false))
    #expect(first && !second)
    #expect(presence.hasGreeted && presence.isKnown)
  }

  @Test func `a page that an earlier run has known does not say hello for the first time`() {
    var presence = PagePresence(isKnown: true)
    let isFirst = presence.greeted(isEmbedded: false)
    #expect(!isFirst)
  }

  @Test func `a hello is of its connection`() {
    var presence = PagePresence(isKnown: false)
    _ = presence.greeted(isEmbedded: false)
    presence.connectionChanged()
    #expect(!presence.hasGreeted && presence.isKnown)
  }

  @Test func `what has come on a connection says nothing of the next one`() {
    var presence = PagePresence(isKnown: true)
    presence.heard()
    #expect(presence.isHeard)
    presence.connectionChanged()
    #expect(!presence.isHeard)
  }

  @Test func `a page that has left is back with its next hello`() {
    var presence = PagePresence(isKnown: true)
    presence.left()
    #expect(presence.hasLeft)
    _ = presence.greeted(isEmbedded: false)
    #expect(!presence.hasLeft)
  }

  @Test func `each hello says anew what is around the page`() {
    var presence = PagePresence(isKnown: false)
    _ = presence.greeted(isEmbedded: true)
    #expect(presence.isEmbedded)
    _ = presence.greeted(isEmbedded: false)
    #expect(!presence.isEmbedded)
  }
}
