"""A keyboard and a touchpad made with uinput, and what is done on them. For the test machine's checks; needs no package.

    pad, keys = Pad(), Keyboard()
    pad.swipe(3, "left"); pad.pinch(2, "out"); pad.tap(3); keys.chord("leftmeta", "t")
"""
import fcntl
import math
import os
import struct
import time

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
UI_DEV_CREATE, UI_DEV_DESTROY = 0x5501, 0x5502
UI_DEV_SETUP, UI_ABS_SETUP = 0x405C5503, 0x401C5504
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_ABSBIT, UI_SET_PROPBIT = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
SLOT, X, Y, ID = 0x2F, 0x35, 0x36, 0x39
BTN_LEFT, BTN_TOUCH = 0x110, 0x14A
FINGERS = {1: 0x145, 2: 0x14D, 3: 0x14E, 4: 0x14F, 5: 0x148}
KEYS = {name: code for names, first in (("qwertyuiop", 16), ("asdfghjkl", 30), ("zxcvbnm", 44), ("1234567890", 2))
        for code, name in enumerate(names, first)}
KEYS |= {f"f{n}": 58 + n for n in range(1, 11)}
KEYS |= {"leftctrl": 29, "leftshift": 42, "leftalt": 56, "leftmeta": 125, "space": 57, "enter": 28, "esc": 1}
STEP = 0.008


class Device:
    def __init__(self, name, product, keys=(), axes=(), properties=()):
        self.fd = os.open("/dev/uinput", os.O_WRONLY | os.O_CLOEXEC)
        for kind in (EV_KEY, EV_ABS) if axes else (EV_KEY,):
            fcntl.ioctl(self.fd, UI_SET_EVBIT, kind)
        for key in keys:
            fcntl.ioctl(self.fd, UI_SET_KEYBIT, key)
        for code, most, resolution in axes:
            fcntl.ioctl(self.fd, UI_SET_ABSBIT, code)
            fcntl.ioctl(self.fd, UI_ABS_SETUP, struct.pack("HxxiiiiiI", code, 0, 0, most, 0, 0, resolution)[:28])
        for number in properties:
            fcntl.ioctl(self.fd, UI_SET_PROPBIT, number)
        fcntl.ioctl(self.fd, UI_DEV_SETUP, struct.pack("HHHH80sI", 3, 0x1234, product, 1, name.encode(), 0))
        fcntl.ioctl(self.fd, UI_DEV_CREATE)

    def write(self, *events):
        """One packet. Returns when it was about to be written, in ns on CLOCK_MONOTONIC."""
        now = time.monotonic_ns()
        os.write(self.fd, b"".join(struct.pack("llHHi", 0, 0, *event) for event in (*events, (EV_SYN, 0, 0))))
        return now

    def close(self):
        fcntl.ioctl(self.fd, UI_DEV_DESTROY)
        os.close(self.fd)


class Keyboard(Device):
    def __init__(self, name="A keyboard of a test"):
        super().__init__(name, 1, range(1, 128))

    def chord(self, *names):
        """Presses and releases; returns when the last was pressed."""
        for name in names:
            pressed = self.write((EV_KEY, KEYS[name], 1))
            time.sleep(STEP)
        for name in reversed(names):
            self.write((EV_KEY, KEYS[name], 0))
            time.sleep(STEP)
        return pressed


class Pad(Device):
    UNITS, WIDTH, HEIGHT = 40, 100, 65  # units a mm; mm

    def __init__(self, name="A touchpad of a test"):
        wide, high, units = self.WIDTH * self.UNITS, self.HEIGHT * self.UNITS, self.UNITS
        super().__init__(name, 2, (BTN_LEFT, BTN_TOUCH, *FINGERS.values()), (
            (SLOT, 4, 0), (X, wide, units), (Y, high, units), (ID, 65535, 0), (0, wide, units), (1, high, units),
        ), (0, 2))
        self.next_id = 1

    def place(self, slot, x, y, is_new=False):
        events = [(EV_ABS, SLOT, slot)]
        if is_new:
            events.append((EV_ABS, ID, self.next_id))
            self.next_id = self.next_id % 65000 + 1
        units = [round(min(max(v, 0), most) * self.UNITS) for v, most in ((x, self.WIDTH), (y, self.HEIGHT))]
        events += [(EV_ABS, X, units[0]), (EV_ABS, Y, units[1])]
        return events + ([(EV_ABS, 0, units[0]), (EV_ABS, 1, units[1])] if slot == 0 else [])

    def stroke(self, fingers, path, frames, lift=0.0):
        """`path(finger, t)` is where in mm a finger is at t from 0 to 1. Returns when the last finger was lifted."""
        down = [(EV_KEY, BTN_TOUCH, 1), (EV_KEY, FINGERS[fingers], 1)]
        events = [event for n in range(fingers) for event in self.place(n, *path(n, 0), is_new=True)]
        self.write(*events, *down)
        start = time.monotonic()
        for frame in range(1, frames + 1):
            time.sleep(max(0, start + frame * STEP - time.monotonic()))
            self.write(*(event for n in range(fingers) for event in self.place(n, *path(n, frame / frames))))
        time.sleep(lift + STEP)
        up = [event for n in range(fingers) for event in ((EV_ABS, SLOT, n), (EV_ABS, ID, -1))]
        return self.write(*up, (EV_KEY, BTN_TOUCH, 0), (EV_KEY, FINGERS[fingers], 0))

    def swipe(self, fingers, direction, travel=32):
        dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[direction]
        reach = travel if dx else travel * 0.8

        def path(n, t):
            eased = (t * t * (3 - 2 * t) - 0.5) * reach
            return (50 + (n - (fingers - 1) / 2) * 16 + dx * eased, 32 + 3 * (n % 2) + dy * eased)
        return self.stroke(fingers, path, 28)

    def pinch(self, fingers, direction):
        first, last = (9, 24) if direction == "out" else (24, 9)

        def path(n, t):
            radius = first + (last - first) * t * t * (3 - 2 * t)
            angle = 2 * math.pi * n / fingers + 0.5
            return (50 + radius * math.cos(angle), 32 + radius * math.sin(angle))
        return self.stroke(fingers, path, 32)

    def tap(self, fingers):
        return self.stroke(fingers, lambda n, t: (50 + (n - (fingers - 1) / 2) * 16, 32 + 3 * (n % 2)), 6)
