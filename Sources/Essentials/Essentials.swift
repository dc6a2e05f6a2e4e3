// What the modules use of Foundation and of the C library, under one name on each system.
//
// On Linux it leaves out the rest of Foundation, and with it ICU, whose data alone would be half of the program. The compiler so sees to it
// that nothing of ours depends on ICU: the program is linked without its data.
#if canImport(FoundationEssentials)
  @_exported public import Dispatch
  @_exported public import FoundationEssentials
  @_exported public import Glibc
#else
  @_exported public import Foundation
#endif
