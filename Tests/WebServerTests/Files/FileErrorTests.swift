import Essentials
import Testing

@testable import WebServer

@Suite struct FileErrorTests {
  @Test(arguments: [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG])
  func `a file that is not there or may not be opened is not found`(code: Int32) throws {
    try FileError.check(code)
  }

  @Test(arguments: [EMFILE, ENFILE])
  func `a file without a descriptor is not said to be missing`(code: Int32) {
    #expect(throws: FileError.tooManyOpen) { try FileError.check(code) }
  }

  @Test(arguments: [EIO, ENOMEM])
  func `a failure of the system is said with its reason`(code: Int32) {
    #expect(throws: FileError.system(reason: String(cString: strerror(code)))) { try FileError.check(code) }
  }
}
