// An empty package of data for ICU, as ICU itself has one for programs that need no data (its "stubdata").
//
// On Linux, ICU comes with Foundation, and its data are 34 MB: languages, calendars, time zones, names. GRDB and Yams need Foundation, but
// nothing that they do here needs these data. Our own modules import only the part of Foundation that works without ICU. The linker takes
// this package instead of the one in Foundation's library, because it finds this one first. A program that uses Footbridge as a library does
// not get it. docs/packages.md says what does not work without the data.

#include "EmptyICUData.h"

#include <stdint.h>

struct Package {
  // The head of any file of ICU's data, 32 bytes.
  uint16_t headSize;
  uint8_t magic[2];
  uint16_t informationSize;
  uint16_t reserved;
  uint8_t isBigEndian;
  uint8_t isEBCDIC;
  uint8_t characterSize;
  uint8_t padding;
  uint8_t format[4];
  uint8_t formatVersion[4];
  uint8_t dataVersion[4];
  uint8_t comment[8];
  // The table of contents.
  uint32_t count;
  uint32_t nothing;
};

__attribute__((aligned(16))) const struct Package footbridge_empty_icu_data = {
    .headSize = 32,
    .magic = {0xDA, 0x27},
    .informationSize = 20,
    .isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .characterSize = 2,
    .format = {'T', 'o', 'C', 'P'},
    .formatVersion = {1},
};

// The package's name has ICU's version in it. Swift 6.2 has ICU 74, Swift 6.3 has 76. With a version that is not listed here the program
// works, too, and is larger: a test of the release's size tells.
#define VERSION(number) \
  extern const struct Package icudt##number##_dat __attribute__((alias("footbridge_empty_icu_data")));
VERSION(74)
VERSION(75)
VERSION(76)
VERSION(77)
VERSION(78)
VERSION(79)
