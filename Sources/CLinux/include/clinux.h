// Declarations that Swift's Glibc module does not show. No logic.
#ifndef CLINUX_H
#define CLINUX_H
#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#endif
#endif
