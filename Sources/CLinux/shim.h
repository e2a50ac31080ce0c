#pragma once
#pragma clang module import SwiftGlibc  // its types stay its own: docs/architecture.md, Traps
// No _GNU_SOURCE here: it would give fd_set another layout than the other modules see.
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>

// Macros that Swift does not import.

/// Takes the device for this descriptor alone, or gives it back; -1 and EBUSY where another has it.
static inline int gliss_evdev_grab(int descriptor, int isGrabbed) {
  return ioctl(descriptor, EVIOCGRAB, (void *)(long)isGrabbed);
}

/// Ends what this descriptor may read for ever, as logind does at a session switch.
static inline int gliss_evdev_revoke(int descriptor) {
  return ioctl(descriptor, EVIOCREVOKE, (void *)0);
}

/// The clock that the device's times are read from, for this descriptor.
static inline int gliss_evdev_clock(int descriptor, int clock) {
  return ioctl(descriptor, EVIOCSCLOCKID, &clock);
}

/// Where the device says it is plugged in; as ioctl(2), with the length where that is not negative.
static inline int gliss_evdev_place(int descriptor, char *place, int size) {
  return ioctl(descriptor, EVIOCGPHYS(size), place);
}

/// The keys that are down, a bit each.
static inline int gliss_evdev_keys(int descriptor, unsigned char *bits, int size) {
  return ioctl(descriptor, EVIOCGKEY(size), bits);
}

/// Where the device that is made next with this descriptor of /dev/uinput says it is plugged in.
static inline int gliss_uinput_place(int descriptor, const char *place) {
  return ioctl(descriptor, UI_SET_PHYS, place);
}

/// Unplugs the device that was made with this descriptor.
static inline int gliss_uinput_destroy(int descriptor) { return ioctl(descriptor, UI_DEV_DESTROY); }

// What _GNU_SOURCE would declare.

/// Takes a connection; its descriptor is closed on exec and does not block.
static inline int gliss_accept(int descriptor) {
  return (int)syscall(SYS_accept4, descriptor, (void *)0, (void *)0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// The kernel's `struct ucred`.
struct gliss_credentials {
  int pid;
  unsigned int uid;
  unsigned int gid;
};

/// From now on what is received from a Unix socket comes with who has sent it.
static inline int gliss_pass_credentials(int descriptor) {
  int on = 1;
  return setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}

/// As recv(2), without waiting; `sender` is the number of the process that sent it, 0 if the kernel does not say, and -1
/// if that process has no number here. Descriptors that are sent along are not taken.
static inline ssize_t gliss_receive(int descriptor, void *bytes, size_t size, int *sender) {
  // struct ucred, which _GNU_SOURCE would declare, is three numbers; there is no room for more
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(struct gliss_credentials))];
  } control;
  struct iovec piece = {bytes, size};
  struct msghdr message = {0};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  *sender = 0;
  ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : 0;
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == 2 /* SCM_CREDENTIALS */)
  {
    const struct gliss_credentials *credentials = (struct gliss_credentials *)CMSG_DATA(header);
    // without a sender the kernel says 0 and the user nobody
    *sender = credentials->pid == 0 && credentials->uid != 65534 ? -1 : credentials->pid;
  }
  return count;
}

/// A descriptor of the process that has this number now.
static inline int gliss_pidfd_open(int pid) { return (int)syscall(434 /* SYS_pidfd_open */, pid, 0); }

/// Whether others of the same user may trace this process and read what /proc keeps of it, and whether it leaves a core.
static inline int gliss_set_dumpable(int isDumpable) {
  return prctl(PR_SET_DUMPABLE, (long)isDumpable, 0L, 0L, 0L);
}

/// From now on processes below this one that lose their parent become its children.
static inline int gliss_adopt_orphans(void) {
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/// A pipe whose ends are closed on exec; -1 where there is none.
static inline int gliss_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// Since glibc 2.29 and 2.34.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
