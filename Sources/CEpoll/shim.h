#ifndef FOOTBRIDGE_CEPOLL_SHIM_H
#define FOOTBRIDGE_CEPOLL_SHIM_H

// Linux's epoll, which Swift's own modules leave out.

#include <sys/epoll.h>

#endif
