// Exports the parts of Foundation and of the C library that the modules use, under one name on each system.
//
// On Linux it leaves out the rest of Foundation, and with it ICU, whose data alone would be half of the program. The program is linked
// without that data. Since code that needs ICU is in the rest of Foundation, it does not compile with this import.
#if canImport(FoundationEssentials)
  @_exported public import Dispatch
  @_exported public import FoundationEssentials
  @_exported public import Glibc
#else
  @_exported public import Foundation
#endif
