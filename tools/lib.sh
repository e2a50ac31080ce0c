# Shared by the commands in this folder; sourced, not run.
# Sets the working directory to the repository's root, with the caller's in $here, and puts swift on the path.

here="$PWD"
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# What building needs beyond Swift itself, as apt packages.
build_packages=(git pkg-config libyaml-dev libinput-dev libevdev-dev libudev-dev libxkbcommon-dev
  libsystemd-dev libsqlite3-dev libexpat1-dev binutils)
# What the checks need on top.
test_packages=(valgrind elfutils procps dbus python3-dbus python3-gi polkitd bubblewrap
  python3-pip lua5.4 zsh fish)
# What makes a Debian package.
package_packages=(dpkg-dev lintian python3)
# What a package is tried with in the test machine, beside a systemd of its own.
installed_packages=(systemd systemd-sysv dbus dbus-user-session libpam-systemd polkitd man-db)
# Desktops without a screen, and what shows windows on them.
focus_packages=(python3 procps sway foot fuzzel xvfb i3-wm openbox xterm xdotool wmctrl x11-utils kwin-wayland xwayland
  dbus-daemon gnome-shell gsettings-desktop-schemas libglib2.0-bin python3-dbusmock)
# What opens the pages of `gliss plot`, and what makes pictures of its SVG.
plot_packages=(chromium librsvg2-bin fonts-dejavu-core python3 python3-pip)
# The portal that applications ask for global shortcuts.
portal_packages=(xdg-desktop-portal dbus-daemon python3-dbus python3-gi procps)
# What the test machine is made of (tools/vm).
guest_packages=(qemu-system-x86 busybox-static udev kmod cpio xz-utils python3)

say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Installs the named packages that are missing. If none is missing, it does not use the network.
install_packages() {
  local missing=() package
  command -v dpkg-query >/dev/null \
    || { say "not a Debian system: make sure that these are installed: $*"; return 0; }
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null \
    || die "missing packages: run as root: apt-get install ${missing[*]}"
  say "installing ${missing[*]}"
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q
    --no-install-recommends "${missing[@]}")
  # the lists may be old or absent: fetch them only if it does not work without
  as_root "${install[@]}" >/dev/null 2>&1 && return 0
  as_root apt-get update -q >&2 || die "cannot fetch the package lists"
  as_root "${install[@]}" >&2 || die "cannot install ${missing[*]}"
}

# A client of the broker and a validator that are not ours.
test_python=(varlink==31.0.0 jsonschema==4.23.0 ruamel.yaml==0.18.6)
# What drives a browser, and what judges how accessible a page is.
plot_python=(playwright==1.65.2 axe-core-python==0.1.0)

# Puts Python's packages where the tests look for them.
install_python_packages() {
  local package name missing=()
  for package in "$@"; do
    name="${package%%==*}"
    compgen -G ".build/python/${name//-/_}-${package##*==}.dist-info" >/dev/null \
      || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing the Python packages ${missing[*]}"
  /usr/bin/python3 -m pip install --quiet --upgrade --target .build/python "${missing[@]}" >&2 \
    || die "cannot install the Python packages ${missing[*]}"
}

# sudo and CI start with a short path: look where Swift is usually put.
find_swift() {
  local folder
  command -v swift >/dev/null && return 0
  for folder in /opt/swift/usr/bin /usr/local/swift/usr/bin /usr/libexec/swift/bin \
    "$HOME/.local/share/swiftly/bin" "${SUDO_USER:+/home/$SUDO_USER/.local/share/swiftly/bin}"; do
    if [ -n "$folder" ] && [ -x "$folder/swift" ]; then
      export PATH="$folder:$PATH"
      return 0
    fi
  done
  die "Swift 6.3 or newer is needed and not on the path: see https://www.swift.org/install/linux"
}

# All that is built in release takes these flags: others would compile everything again. Only the linker's may differ.
# Unused functions are left out (each has a section of its own): 0.4 MB; relocations are packed, which Swift's own linker
# can do and glibc knows from 2.36 on: 1.1 MB; functions with the same code are kept once: 0.2 MB.
# FoundationEssentials is linked by name below, and into `gliss` not at all.
release_flags=(-c release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections
  -Xlinker --gc-sections -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=all
  -Xswiftc -Xfrontend -Xswiftc -disable-autolink-library -Xswiftc -Xfrontend -Xswiftc FoundationEssentials)

# Builds one product in release and sets $built to its path.
build_release() {
  # without the names of the standard library's functions, which nobody looks up in a program: 0.3 MB
  local flags=("${release_flags[@]}" -Xlinker -s -Xlinker --no-export-dynamic)
  built="$PWD/.build/release/$1"
  if [ "$1" = gliss ] && [ -z "${GLISS_WITH_FOUNDATION:-}" ]; then
    make_stand_in || return 1
    swift build "${flags[@]}" --product gliss -Xlinker "$stand_in" && return 0
    say "if symbols of FoundationEssentials are missing, another argument-parser or Swift asks for more of it:" \
      "GLISS_WITH_FOUNDATION=1 links all of it"
    return 1
  fi
  swift build "${flags[@]}" --product "$1" -Xlinker -lFoundationEssentials \
    -Xlinker -l_FoundationCollections -Xlinker -l_FoundationCShims
}

# Compiles what argument-parser is given for FoundationEssentials, which saves 6 MB, and sets $stand_in to it.
make_stand_in() {
  stand_in="$PWD/.build/FoundationEssentials.o"
  mkdir -p .build
  swiftc -swift-version 6 -O -parse-as-library -module-name FoundationEssentials \
    -c tools/release/FoundationEssentials.swift -o "$stand_in"
}

# Builds the programs that measure and sets $benchmarks to the folder they are in.
build_benchmarks() {
  local program
  benchmarks="$PWD/.build/release"
  for program in allocations frames benchmarks; do
    GLISS_BENCHMARKS=1 swift build "${release_flags[@]}" --product "$program" || return 1
  done
}

[ "${needs_swift:-yes}" = no ] || find_swift
