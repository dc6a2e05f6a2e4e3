import Foundation
import Testing

/// The corpus of each target, as it is and changed. `FOOTBRIDGE_FUZZ_SECONDS` has each target go on for so long with other changes, where
/// libFuzzer is not to be had.
@Suite(.serialized) struct CorpusTests {
  @Test(arguments: FuzzTarget.allCases)
  func `every input of the corpus and its mutations pass their fuzz target`(target: FuzzTarget) async throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "Corpus/\(target.rawValue)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count >= 5)
    let inputs = try names.map { Array(try Data(contentsOf: folder.appending(path: $0))) }
    var count = 0

    func check(_ input: [UInt8], _ name: String) async {
      count += 1
      // Other tests wait for this thread.
      await Task.yield()
      do {
        try await target.check(input)
      } catch {
        Issue.record("\(name), as base64 \(Data(input).base64EncodedString()): \(error)")
      }
    }

    for (name, input) in zip(names, inputs) { await check(input, name) }
    let seconds = ProcessInfo.processInfo.environment["FOOTBRIDGE_FUZZ_SECONDS"].flatMap { Double($0) } ?? 0
    let end = ContinuousClock.now + .seconds(seconds)
    var seed: UInt64 = 0
    repeat {
      for (name, input) in zip(names, inputs) {
        var mutator = SeededMutator(seed: seed)
        seed += 1
        for number in 1...target.mutationsPerFile {
          await check(mutator.mutation(of: input, others: inputs), "change \(number) of \(name)")
        }
      }
    } while ContinuousClock.now < end
    print("\(target.rawValue): \(count) inputs tried")
  }
}
