#ifndef FOOTBRIDGE_WEB_FILES_H
#define FOOTBRIDGE_WEB_FILES_H

#include <stddef.h>

/// A file of `web/`, embedded into the executable.
struct web_file {
  /// The path below `web/`, such as `demo/index.html`.
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

/// Every embedded file.
const struct web_file *web_files(void);

/// The number of embedded files.
size_t web_file_count(void);

#endif
