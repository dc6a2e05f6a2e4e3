#ifndef FOOTBRIDGE_CEPOLL_SHIM_H
#define FOOTBRIDGE_CEPOLL_SHIM_H

// Linux's epoll and accept4, which Swift's own modules do not export.

#include <sys/epoll.h>
#include <sys/socket.h>

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

#endif
