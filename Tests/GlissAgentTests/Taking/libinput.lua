-- A stand-in for libinput's plugin API, as far as gliss.lua uses it. Runs the plugin over frames from standard input and
-- prints what libinput would get.
--
--   lua5.4 libinput.lua PLUGIN
--
-- Its clock goes from frame to frame. The plugin's timer rings in between, and at the end as often as it is set.
--
-- Input, a line each:   device ID NAME;VENDOR;PRODUCT;touchpad|other;AXIS:MINIMUM:MAXIMUM:RESOLUTION,...
--                       frame ID TIME CODE:VALUE ...       codes are type << 16 | code, TIME is in microseconds
--                       removed ID
-- Output:               frame ID TIME CODE:VALUE ...       also of frames put before or after, or by the timer; empty ones
--                                                          are left out
--                       axis ID CODE:MAXIMUM               a new axis
-- An error of the plugin ends it, as it does in libinput.

local function usage(type, code) return type << 16 | code end
local evdev = {
  ABS_MT_SLOT = usage(3, 0x2f), ABS_MT_POSITION_X = usage(3, 0x35), ABS_MT_POSITION_Y = usage(3, 0x36),
  ABS_MT_TOOL_TYPE = usage(3, 0x37), ABS_MT_TRACKING_ID = usage(3, 0x39),
  ABS_MT_PRESSURE = usage(3, 0x3a), ABS_MT_DISTANCE = usage(3, 0x3b), ABS_MT_TOUCH_MAJOR = usage(3, 0x30), BTN_LEFT = usage(1, 0x110), BTN_TOUCH = usage(1, 0x14a),
  BTN_TASK = usage(1, 0x117), MSC_SERIAL = usage(4, 0), MSC_GESTURE = usage(4, 2), MSC_RAW = usage(4, 3),
}
-- libinput takes at most so many events from a plugin, and cuts off the rest.
local most = 64

local handlers, devices, around = {}, {}, nil
local now, alarm = 0, nil
local libinput = {}
function libinput:now() return now end
function libinput:timer_set_absolute(time) alarm = math.max(time, now) end
function libinput:timer_set_relative(time) alarm = now + time end
function libinput:timer_cancel() alarm = nil end
function libinput:register(versions) assert(versions[1] == 1) end
function libinput:connect(name, handler) handlers[name] = handler end
function libinput:log_info() end

local Device = {}
Device.__index = Device
function Device:name() return self.label end
function Device:info() return { bustype = 0, vid = self.vendor, pid = self.product } end
function Device:udev_properties() return self.properties end
function Device:absinfos() return self.axes end
function Device:set_absinfo(code, axis)
  self.axes[code] = axis
  print(("axis %s %d:%d"):format(self.id, code, axis.maximum))
end
function Device:connect(name, handler) self.handlers[name] = handler end
local function put(frames, device, frame)
  table.insert(frames, { id = device.id, frame = table.move(frame, 1, #frame, 1, {}) })
end
function Device:prepend_frame(frame) put(around.before, self, frame) end
function Device:append_frame(frame) put(around.after, self, frame) end

-- What the sandbox offers, and nothing else.
local sandbox = {
  assert = assert, error = error, ipairs = ipairs, next = next, pairs = pairs, tonumber = tonumber, pcall = pcall,
  select = select, print = print, tostring = tostring, type = type, xpcall = xpcall, table = table, string = string,
  math = math, _VERSION = _VERSION, libinput = libinput, evdev = evdev,
}
assert(loadfile(arg[1], "t", sandbox))()

local function add(id, text)
  local label, vendor, product, kind, axes = text:match("([^;]*);(%d+);(%d+);(%a+);(.*)")
  local device = setmetatable({
    id = id, label = label, vendor = tonumber(vendor), product = tonumber(product), axes = {}, handlers = {},
    properties = kind == "touchpad" and { ID_INPUT_TOUCHPAD = "1" } or {},
  }, Device)
  for code, minimum, maximum, resolution in axes:gmatch("(%d+):(%-?%d+):(%-?%d+):(%d+)") do
    device.axes[tonumber(code)] = {
      minimum = tonumber(minimum), maximum = tonumber(maximum), resolution = tonumber(resolution),
    }
  end
  devices[id] = device
  handlers["new-evdev-device"](device)
end

local function show(id, time, frame)
  assert(#frame <= most, "more events than libinput takes")
  if #frame == 0 then return end
  local words = {}
  for _, event in ipairs(frame) do words[#words + 1] = event.usage .. ":" .. event.value end
  print(("frame %s %s %s"):format(id, time, table.concat(words, " ")))
end

local function show_all(frames) for _, other in ipairs(frames) do show(other.id, now, other.frame) end end

local function ring(until_time)
  local rings = 0
  while alarm and alarm <= until_time do
    rings = rings + 1
    assert(rings < 10000, "the timer rings without an end")
    now, alarm = alarm, nil
    around = { before = {}, after = {} }
    handlers["timer-expired"](now)
    show_all(around.before)
    show_all(around.after)
  end
end

local function play(id, time, text)
  ring(time)
  now = time
  local frame, device = {}, devices[id]
  for code, value in text:gmatch("(%d+):(%-?%d+)") do
    frame[#frame + 1] = { usage = tonumber(code), value = tonumber(value) }
  end
  local count = #frame
  around = { before = {}, after = {} }
  local handler = device.handlers["evdev-frame"]
  local new = handler and handler(device, frame, time)
  assert(#frame == count, "the frame itself was changed")
  show_all(around.before)
  show(id, time, new or frame)
  show_all(around.after)
end

for line in io.lines() do
  local verb, id, rest = line:match("^(%a+) (%S+) ?(.*)$")
  if verb == "device" then
    add(id, rest)
  elseif verb == "removed" then
    local handler = devices[id].handlers["device-removed"]
    if handler then handler(devices[id]) end
    devices[id] = nil
  else
    play(id, tonumber(rest:match("^(%S+)")), rest:match("^%S+ ?(.*)$"))
  end
end
ring(math.huge)
