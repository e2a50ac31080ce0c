#pragma once
#pragma clang module import SwiftGlibc  // its types stay its own: docs/architecture.md, Traps
// No _GNU_SOURCE here: it would give fd_set another layout than the other modules see.
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

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
