// A library to preload into a load generator: each of its TCP connections goes through a proxy. Before `connect` returns, the connection
// asks for a tunnel (CONNECT, RFC 9110, section 9.3.6) to the host and port in the variable TUNNEL.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// Reads one byte at a time, since what follows the head belongs to the tunnel. Returns whether the tunnel is open.
static int is_opened(int descriptor) {
  char head[4096];
  size_t count = 0;
  while (count < sizeof head - 1 && read(descriptor, head + count, 1) == 1) {
    head[++count] = 0;
    if (count >= 4 && !memcmp(head + count - 4, "\r\n\r\n", 4)) return !strncmp(head, "HTTP/1.1 200", 12);
  }
  return 0;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  int (*usual)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
  const char *site = getenv("TUNNEL");
  if (address->sa_family != AF_INET || !site) return usual(descriptor, address, size);
  int flags = fcntl(descriptor, F_GETFL);
  fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
  int result = usual(descriptor, address, size);
  if (result == 0) {
    dprintf(descriptor, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", site, site);
    if (!is_opened(descriptor)) {
      fputs("tunnel: the proxy has refused\n", stderr);
      errno = ECONNREFUSED;
      result = -1;
    }
  }
  fcntl(descriptor, F_SETFL, flags);
  return result;
}
