// Declarations that Swift's Glibc module does not show. No logic.
#ifndef CLINUX_H
#define CLINUX_H
#if defined(__linux__)
#include <linux/filter.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Hidden behind _GNU_SOURCE, which the Glibc module is not built with.
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pthread_setname_np(pthread_t thread, const char *name);
// The mask is a `cpu_set_t` of any size.
int sched_getaffinity(pid_t process, size_t size, void *mask);
#endif

// The commit that the program was built from.
const char *convert_build_commit(void);
#endif
