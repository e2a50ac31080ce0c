#pragma once
#pragma clang module import SwiftGlibc  // its types stay its own: docs/architecture.md, Traps
#include <expat.h>
