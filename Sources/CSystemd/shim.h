#pragma once
#pragma clang module import SwiftGlibc  // its types stay its own: docs/architecture.md, Traps
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-login.h>
