-- Gliss: hides strokes that rules consume (`consume: true`) from this desktop. `gliss take on`
-- installs this file.
--
-- libinput calls it for every frame of every touchpad and of the control (see below). Frames of a
-- stroke that a rule may consume wait. If a rule consumes it, its contacts become palms, which
-- libinput ignores. If not, the frames follow unchanged. It does not change anything else:
-- pointing, scrolling, taps, holds and clicks stay as they are.
--
-- Gliss has a virtual device, the control, that says which strokes may be consumed. If the control
-- disappears because Gliss has ended, the desktop gets every stroke that is not kept already.
--
-- THE PROTOCOL. The control is a uinput device with the name and vendor below. The high byte of its
-- product is the version of this protocol. The low byte has a bit for each finger count whose
-- strokes may be consumed: bit 3 for three fingers. So a desktop that opens the control late, or
-- again, knows these, too. The control sends frames of EV_MSC events, which mean nothing to a
-- desktop without this file:
--   MSC_GESTURE bits      From now on only these of the product's bits count; 0 for none. Sent
--                           again 0.5, 2 and 8 seconds after the control was created, for desktops
--                           that opened it late.
--   MSC_SERIAL time,      The verdict on the stroke that was under way at that time: 1 keeps it
--   MSC_RAW 1 or 2          hidden until its fingers lift, 2 gives it back. The time is the lowest
--                           32 bits of the microseconds of CLOCK_MONOTONIC.
-- A stroke begins when a finger lands on an empty pad, and ends when the last one lifts. Once its
-- finger count may be consumed and one of its fingers has moved about a millimetre, its frames wait
-- until a verdict comes. Without a verdict it is given back after `patience`, at a click, or when
-- more fingers land than may be consumed. A later verdict replaces an earlier one. A verdict also
-- counts if more contacts are down than fingers may be consumed, because some may rest. The frames
-- of a stroke that is given back follow a little faster than they came, until none waits.

local NAME, VENDOR, VERSION = "Gliss control", 0x676c, 0x10
-- How far a finger must move before its stroke waits, in mm: `early` in the first 150 ms after
-- a finger has landed or lifted, and `late` after that. In those 150 ms libinput takes a motion of
-- up to 1.3 mm for part of a tap, and begins no swipe below 2.0 mm. After that it begins one at 1.0
-- mm.
local early, late, reaches_until = 1.3, 0.95, 150000
local patience = 120000 -- microseconds; Gliss usually decides within 50 ms
local loss = 60000 -- microseconds for which a pad loses a contact, at most: no finger lands again so soon
-- How long frames that are given back take, as a part of the time in which they came. libinput sees
-- a jump if a contact moves 20 mm in 12 ms, or 7 mm more than before, as in frames that follow at
-- once.
local pace = 0.67
local most = 60 -- events: libinput takes 64 in a frame

local FINGER, PALM = 0, 2
local SLOT, TRACKING, TOOL = evdev.ABS_MT_SLOT, evdev.ABS_MT_TRACKING_ID, evdev.ABS_MT_TOOL_TYPE
local X, Y = evdev.ABS_MT_POSITION_X, evdev.ABS_MT_POSITION_Y
local FIRST_BUTTON, LAST_BUTTON, TOUCH = evdev.BTN_LEFT, evdev.BTN_TASK, evdev.BTN_TOUCH

libinput:register({ 1 })

-- The bits that each control allows, and those of all controls together; the last verdict from any
-- control; the touchpads.
local controls, allowed, verdict, pads = {}, 0, nil, {}

local function allow()
  allowed = 0
  for _, bits in pairs(controls) do allowed = allowed | bits end
end

local function allows(count) return count < 8 and allowed & (1 << count) ~= 0 end

local function any(pad, test)
  for _, slot in pairs(pad.slots) do
    if test(slot) then return true end
  end
  return false
end

local function counts(slot) return slot.is_down and not slot.is_palm and not slot.is_left end

local function has_moved(pad)
  return any(pad, function(slot) return counts(slot) and slot.moved end)
end

-- Has the timer decide strokes that wait soon, so that they do not wait for the pad's next frame.
local function decide_soon()
  for _, pad in pairs(pads) do
    if pad.state == "undecided" then libinput:timer_set_relative(1) end
  end
end

local function control_frame(device, frame)
  local time
  for _, event in ipairs(frame) do
    if event.usage == evdev.MSC_GESTURE then
      local before = allowed
      controls[device] = event.value & device:info().pid & 0xff
      allow()
      local new = allowed & ~before
      -- the desktop has what has moved already
      for _, pad in pairs(pads) do
        if pad.state == "open" and new >> pad.count & 1 == 1 and has_moved(pad) then pad.state = "given" end
      end
    elseif event.usage == evdev.MSC_SERIAL then
      time = event.value
    elseif event.usage == evdev.MSC_RAW and time then
      verdict = { time = time, keeps = event.value == 1 }
    end
  end
  decide_soon()
  return {}
end

-- Whether the verdict is about the stroke that began at `since`. Its time may be ahead of the pad's
-- by up to a second, and its 32 bits start over every 71 minutes.
local function is_on(since, now) return (verdict.time - since) & 0xffffffff <= now - since + 1000000 end

-- THE TOUCHPAD. A slot keeps its position and its tool after its contact has lifted, and a new
-- contact sends only what differs. So both are stored for each slot. As the pad reports it:
--   x, y     the last position          is_down, is_palm
--   x0, y0   where its travel began     moved     it has moved far enough (`early`, `late`)
--   is_left  it stayed down when a kept stroke ended, as a thumb may
--   began    the number of the frame in which its contact landed
-- `moved_in` is the number of the last frame of the stroke after which a finger that had moved was
-- down. `has_ended` says that all of those have lifted while the stroke waits: what lands after that
-- belongs to the next stroke, unless a finger that was there before moves, too.
-- As libinput knows it, which does not have the frames in `waiting` yet:
--   is_known it is down                 passed    the pad's tool     sent      its tool
-- The current slot is `slot` for the pad, and `out_slot` for libinput.

local function new_pad(device)
  local axes = device:absinfos()
  if not axes[SLOT] or axes[SLOT].maximum < 2 or not axes[X] or not axes[Y] then return nil end
  -- the size that libinput assumes for pads that do not report theirs
  local function resolution(axis, size)
    local known = axes[axis].resolution or 0
    return known > 0 and known or math.max(1, (axes[axis].maximum - axes[axis].minimum) / size)
  end
  if not axes[TOOL] then device:set_absinfo(TOOL, { minimum = 0, maximum = PALM }) end
  return { slot = 0, out_slot = 0, slots = {}, count = 0, most = 0, state = "open", waiting = {}, buttons = 0,
    frames = 0, moved_in = 0, hovers = axes[evdev.ABS_MT_DISTANCE] ~= nil, rx = resolution(X, 69), ry = resolution(Y, 50) }
end

local function slot_of(pad, number)
  local slot = pad.slots[number]
  if not slot then
    slot = { sent = FINGER, is_down = false, is_palm = false, is_known = false }
    pad.slots[number] = slot
  end
  return slot
end

-- Ends the contacts that are not new: the pad was empty until this frame. libinput does not pass on
-- what lifts while the desktop has disabled the pad.
local function forget(pad, fresh)
  for _, slot in pairs(pad.slots) do slot.is_down, slot.is_known = fresh[slot] or false, false end
  pad.count, pad.state, pad.had_moved, pad.has_ended, pad.may_hide = 0, "open", false, false, false
  pad.buttons, pad.waiting, pad.start, pad.out_slot = 0, {}, nil, pad.first_slot
end

-- Reads a frame. Returns whether a button goes down.
local function follow(pad, frame)
  local clicks, has_gap, fresh = false, false, {}
  local slot = slot_of(pad, pad.slot)
  pad.first_slot, pad.frames = pad.slot, pad.frames + 1
  for _, event in ipairs(frame) do
    local usage, value = event.usage, event.value
    if usage == SLOT then
      pad.slot = value
      slot = slot_of(pad, value)
    elseif usage == TRACKING then
      slot.is_down = value >= 0
      if slot.is_down then
        slot.x0, slot.y0 = nil, nil
        slot.is_left, slot.moved, slot.began, fresh[slot] = false, false, pad.frames, true
      end
    elseif usage == X then
      slot.x = value
    elseif usage == Y then
      slot.y = value
    elseif usage == TOOL then
      slot.is_palm = value == PALM
    elseif usage >= FIRST_BUTTON and usage <= LAST_BUTTON then
      local bit = 1 << (usage - FIRST_BUTTON)
      pad.buttons = value == 0 and pad.buttons & ~bit or pad.buttons | bit
      clicks = clicks or value == 1
    elseif usage == TOUCH then
      has_gap = value == 1 and pad.is_touched
      pad.is_touched = value == 1
    end
  end
  if has_gap then forget(pad, fresh) end
  -- some may have lifted while the desktop had disabled the pad
  if pad.is_touched == false and not pad.hovers then
    for _, slot in pairs(pad.slots) do slot.is_down = false end
  end
  return clicks
end

-- Whether one of the fingers has moved far enough. Travel starts over when their number changes.
local function travel(pad, begins, time)
  if begins then pad.changed = time end
  local any, reach = false, time - pad.changed < reaches_until and early or late
  for _, slot in pairs(pad.slots) do
    if counts(slot) and slot.x and slot.y then
      if begins or not slot.x0 then slot.x0, slot.y0 = slot.x, slot.y end
      local dx, dy = (slot.x - slot.x0) / pad.rx, (slot.y - slot.y0) / pad.ry
      if dx * dx + dy * dy > reach * reach then
        slot.moved = true
        any = true
      end
    end
  end
  return any
end

-- PASSING ON

local function wanted(pad, slot)
  return (pad.state == "kept" or slot.is_left) and PALM or slot.passed or FINGER
end

-- Appends the tools that libinput must know of contacts.
local function change(pad, out)
  local before = #out
  for number, slot in pairs(pad.slots) do
    if slot.is_known and wanted(pad, slot) ~= slot.sent then
      slot.sent = wanted(pad, slot)
      out[#out + 1] = { usage = SLOT, value = number }
      out[#out + 1] = { usage = TOOL, value = slot.sent }
    end
  end
  if #out > before then out[#out + 1] = { usage = SLOT, value = pad.out_slot } end
end

-- Returns the events that libinput gets in place of the frame, or nil if it gets the frame itself.
-- Calls `put` with a frame that must come before them, if there is one.
local function pass(pad, frame, put)
  local out, slot = {}, slot_of(pad, pad.out_slot)
  for _, event in ipairs(frame) do
    local usage, value = event.usage, event.value
    if usage == SLOT then
      pad.out_slot = value
      slot = slot_of(pad, value)
    elseif usage == TRACKING then
      slot.is_known = value >= 0
    elseif usage == TOOL then
      slot.passed = value
    end
    if usage ~= TOOL or wanted(pad, slot) == value then
      out[#out + 1] = event
      if usage == TOOL then slot.sent = value end
    end
  end
  local tools = {}
  change(pad, tools)
  if #out == #frame and #tools == 0 then return nil end
  if #out + #tools > most then
    put(out)
    return tools
  end
  return table.move(tools, 1, #tools, #out + 1, out)
end

local function pass_next(pad, put)
  local frame = table.remove(pad.waiting, 1).frame
  local out = pass(pad, frame, put) or frame
  if #out > 0 then put(out) end
end

local function pass_all(pad, put)
  while pad.waiting[1] do pass_next(pad, put) end
  pad.start = nil
end

-- DECIDING

-- Updates the state: `open` (nothing waits), `undecided` (frames wait for a verdict), `kept`
-- (hidden to its end), or `given` (given back to the desktop).
local function enter(pad, state, put)
  if pad.state == "undecided" then pad.start = nil end
  pad.state, pad.had_moved = state, false
  -- a kept stroke may have ended while it waited
  if state ~= "kept" then pad.has_ended = false end
  if state == "undecided" then return end
  -- palms come before what waits: a finger may lift in it
  local out = {}
  change(pad, out)
  if #out > 0 then put(out) end
  if state == "kept" then pass_all(pad, put) end
end

-- Passes on what waits, at once.
local function give_all_back(pad, put)
  if pad.state == "undecided" then enter(pad, "given", put) end
  pass_all(pad, put)
end

-- Ends the stroke if its fingers have lifted. A kept stroke ends with the last finger that moved,
-- because otherwise a resting thumb would block the pad. A contact that landed once no finger that
-- had moved was down belongs to the next stroke. A verdict may come after the end of a stroke that
-- waits, so the end is noted when it happens.
local function end_if_over(pad)
  local moved = has_moved(pad)
  -- the pad may lose the only finger that had moved: the others go on
  if any(pad, function(slot) return counts(slot) and slot.moved and slot.began <= pad.moved_in end) then
    pad.has_ended = false
  end
  if moved and not pad.has_ended then pad.moved_in = pad.frames end
  if pad.state == "undecided" then
    pad.has_ended = pad.has_ended or not moved
    return
  end
  local is_over = pad.count == 0
  if pad.state == "kept" and not is_over then
    is_over = pad.had_moved and (pad.has_ended or not moved)
    pad.had_moved = pad.had_moved or moved
    for _, slot in pairs(pad.slots) do
      slot.is_left = slot.is_left or is_over and slot.is_down and slot.began <= pad.moved_in
    end
  end
  if is_over then
    pad.state, pad.count, pad.had_moved, pad.has_ended, pad.may_hide = "open", 0, false, false, false
  end
end

-- Applies a new verdict if it is about this stroke.
local function hear(pad, time, put)
  if not pad.may_hide or not verdict or verdict == pad.heard or not is_on(pad.since, time) then return end
  pad.heard = verdict
  -- the fingers drag something on the desktop
  if verdict.keeps and pad.buttons ~= 0 then return end
  -- a stroke that waits has moved; note that now, because its fingers may have lifted
  local had_moved = pad.state == "undecided" or pad.had_moved or has_moved(pad)
  enter(pad, verdict.keeps and "kept" or "given", put)
  pad.had_moved = had_moved
end

local function number_of_fingers(pad)
  local count = 0
  for _, slot in pairs(pad.slots) do
    if counts(slot) then count = count + 1 end
  end
  return count
end

-- Decides what becomes of the stroke with the frame that was read last.
local function decide(pad, time, put)
  local before, count = pad.count, number_of_fingers(pad)
  pad.count = count
  if count == 0 then return end
  if before == 0 then pad.since = time end
  -- Gliss may have found that some of the contacts rest
  if allowed & ((2 << math.min(count, 7)) - 1) ~= 0 then pad.may_hide = true end
  -- libinput knows what the fingers did with a held button
  local is_dragging = pad.state == "open" and pad.buttons ~= 0
  local is_back = before > 0 and count <= pad.most and time - pad.changed <= loss
  pad.most = before == 0 and count or math.max(pad.most, count)
  local has_moved = travel(pad, count ~= before or is_dragging, time)
  if count > before and pad.state == "given" and not is_back then pad.state = "open" end
  hear(pad, time, put)
  if pad.state == "open" and has_moved and allows(count) and pad.buttons == 0 then
    enter(pad, "undecided", put)
    pad.due = time + patience
  elseif pad.state == "undecided" then
    if time > pad.due or allowed == 0 or (count > before and not allows(count)) then enter(pad, "given", put) end
  end
end

-- When a frame that came at `time` is passed on, in a stroke that is given back.
local function due_at(pad, time)
  return pad.start and pad.start.passed + (time - pad.start.came) * pace or time
end

-- When something must be done for a pad, if nothing happens before.
local function due(pad)
  if pad.state == "undecided" then return pad.due end
  return pad.waiting[1] and due_at(pad, pad.waiting[1].time)
end

local function set_timer(now)
  local first
  for _, pad in pairs(pads) do
    local time = due(pad)
    if time and (not first or time < first) then first = time end
  end
  if first then
    libinput:timer_set_absolute(math.max(math.ceil(first), now + 1))
  else
    libinput:timer_cancel()
  end
end

local function advance(device, pad, now)
  local function put(frame) device:append_frame(frame) end
  if pad.state == "undecided" then
    hear(pad, now, put)
    if pad.state == "undecided" and (now >= pad.due or allowed == 0) then enter(pad, "given", put) end
    end_if_over(pad)
  end
  while pad.state ~= "undecided" and pad.waiting[1] and due(pad) <= now do
    pad.start = pad.start or { passed = now, came = pad.waiting[1].time }
    pass_next(pad, put)
  end
end

libinput:connect("timer-expired", function(now)
  for device, pad in pairs(pads) do advance(device, pad, now) end
  set_timer(now)
end)

local function begins_contact(frame)
  for _, event in ipairs(frame) do
    if event.usage == TRACKING and event.value >= 0 then return true end
  end
  return false
end

local function pad_frame(device, frame, time)
  local pad, out = pads[device], {}
  local function put(before) device:prepend_frame(before) end
  -- the next stroke begins: no verdict will come any more for the one before
  if (pad.waiting[1] or pad.start) and pad.count == 0 and begins_contact(frame) then
    hear(pad, time, put)
    give_all_back(pad, put)
    end_if_over(pad)
  end
  local clicks = follow(pad, frame)
  decide(pad, time, put)
  if clicks then give_all_back(pad, put) end
  -- the next frame does not follow at once, either
  if pad.state == "undecided" or pad.waiting[1] or due_at(pad, time) > time then
    pad.waiting[#pad.waiting + 1] = { frame = frame, time = time }
  else
    pad.start = nil
    out = pass(pad, frame, put)
  end
  end_if_over(pad)
  if pad.waiting[1] or pad.has_timer then
    pad.has_timer = pad.waiting[1] ~= nil
    set_timer(libinput:now())
  end
  return out
end

libinput:connect("new-evdev-device", function(device)
  local info = device:info()
  if device:name() == NAME and info.vid == VENDOR and info.pid >> 8 == VERSION then
    controls[device] = info.pid & 0xff
    allow()
    device:connect("evdev-frame", control_frame)
    device:connect("device-removed", function(gone)
      controls[gone] = nil
      allow()
      decide_soon()
    end)
  elseif device:udev_properties()["ID_INPUT_TOUCHPAD"] then
    pads[device] = new_pad(device)
    if not pads[device] then return end
    device:connect("evdev-frame", pad_frame)
    device:connect("device-removed", function(gone) pads[gone] = nil end)
  end
end)
libinput:log_info("Gliss may keep strokes from this desktop")
