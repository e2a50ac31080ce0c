-- Gliss: keeps strokes that rules consume from this desktop (`consume: true`). Installed by `gliss take on`.
--
-- libinput calls this file for every frame of every device. It turns the contacts of a stroke into palms, which
-- libinput ignores, and back into fingers if no rule wants the stroke. It changes nothing of other strokes: pointing,
-- scrolling, taps, holds and clicks stay as they are. Gliss says what may be consumed by a virtual device, the control.
-- When the control goes, because Gliss ended, every stroke is the desktop's.
--
-- THE PROTOCOL. The control is a uinput device with the name and vendor below. The high byte of its product is the
-- version of this protocol. The low byte has a bit set for each number of fingers that strokes may have to be consumed:
-- bit 3 for three. A desktop that opens the control late, or anew, knows as much. The control sends frames of EV_MSC
-- events, which mean nothing to a desktop without this file. It sends what counts again 0.5, 2 and 8 seconds after it was
-- made, for desktops that were late:
--   MSC_GESTURE bits      Of the product's bits only these count from now on; 0 for none.
--   MSC_SERIAL time,      The verdict on the stroke that was under way at that time: 1 keep it hidden until its fingers
--   MSC_RAW 1 or 2          lift, 2 give it back. The time is the lowest 32 bits of microseconds of CLOCK_MONOTONIC.
-- A stroke begins when a finger lands on an empty pad and ends when the last one lifts. Once it has a number of fingers
-- that may be consumed, and one of them has moved a millimetre, it is hidden until a verdict comes. Without one it is
-- given back after `patience`, at a click, and when more fingers land than may be consumed. A later verdict replaces an
-- earlier one.

local NAME, VENDOR, VERSION = "Gliss control", 0x676c, 0x10
-- How far a finger goes before its stroke is hidden, in mm. In the first 150 ms after a finger has landed or lifted
-- libinput takes up to 1.3 mm for a tap, and begins no swipe below 2.0. After that it begins one at 1.0.
local early, late, reaches_until = 1.3, 0.95, 150000
local patience = 120000 -- microseconds; Gliss mostly decides within 50 ms of that

local FINGER, PALM = 0, 2
local SLOT, TRACKING, TOOL = evdev.ABS_MT_SLOT, evdev.ABS_MT_TRACKING_ID, evdev.ABS_MT_TOOL_TYPE
local X, Y = evdev.ABS_MT_POSITION_X, evdev.ABS_MT_POSITION_Y
local FIRST_BUTTON, LAST_BUTTON = evdev.BTN_LEFT, evdev.BTN_TASK

libinput:register({ 1 })

-- What each control allows, and the last verdict of any of them.
local controls, allowed, verdict = {}, 0, nil

local function allow()
  allowed = 0
  for _, bits in pairs(controls) do allowed = allowed | bits end
end

local function allows(count) return count < 8 and allowed & (1 << count) ~= 0 end

local function control_frame(device, frame)
  local time
  for _, event in ipairs(frame) do
    if event.usage == evdev.MSC_GESTURE then
      controls[device] = event.value & device:info().pid & 0xff
      allow()
    elseif event.usage == evdev.MSC_SERIAL then
      time = event.value
    elseif event.usage == evdev.MSC_RAW and time then
      verdict = { time = time, keeps = event.value == 1 }
    end
  end
  return {}
end

-- Whether the verdict is on the stroke that began at `since`. Its time may be ahead of the pad's, by less than a
-- second, and its 32 bits begin anew every 71 minutes.
local function is_on(since, now) return (verdict.time - since) & 0xffffffff <= now - since + 1000000 end

-- THE TOUCHPAD. A slot keeps its position and its tool after its contact has lifted, and a new contact sends only what
-- differs, so both are remembered for each slot:
--   x, y     the last position          is_down, is_palm   as the pad says
--   x0, y0   where its travel began     told               the tool that libinput knows
--   is_hidden                           libinput is to take it for a palm
--   moved                               it has gone that far
--   is_fifth                            libinput took no notice of it, and would later take it for a tap
--   is_left                             it stayed on the pad when a stroke that was kept ended, such as a thumb

local function new_pad(device)
  local axes = device:absinfos()
  if not axes[SLOT] or axes[SLOT].maximum < 2 or not axes[X] or not axes[Y] then return nil end
  -- libinput's guess for pads that do not know their size
  local function resolution(axis, size)
    local known = axes[axis].resolution or 0
    return known > 0 and known or math.max(1, (axes[axis].maximum - axes[axis].minimum) / size)
  end
  if not axes[TOOL] then device:set_absinfo(TOOL, { minimum = 0, maximum = PALM }) end
  -- where a pad measures neither pressure nor size, libinput takes no notice of fingers that land as the fifth
  local is_blind = not axes[evdev.ABS_MT_PRESSURE] and not axes[evdev.ABS_MT_TOUCH_MAJOR]
  return { slot = 0, slots = {}, count = 0, state = "open", is_blind = is_blind,
    rx = resolution(X, 69), ry = resolution(Y, 50) }
end

local function slot_of(pad, number)
  local slot = pad.slots[number]
  if not slot then
    slot = { told = FINGER, is_down = false, is_palm = false }
    pad.slots[number] = slot
  end
  return slot
end

local function counts(slot) return slot.is_down and not slot.is_palm and not slot.is_left end

-- Takes in what the frame says. Returns whether a button went down, and the contacts that are new, by their event.
local function follow(pad, frame)
  local clicks, fresh = false, nil
  local slot = slot_of(pad, pad.slot)
  for index, event in ipairs(frame) do
    local usage, value = event.usage, event.value
    if usage == SLOT then
      pad.slot = value
      slot = slot_of(pad, value)
    elseif usage == TRACKING then
      slot.is_down = value >= 0
      if slot.is_down then
        slot.x0, slot.y0 = nil, nil
        slot.is_palm, slot.is_hidden, slot.is_left, slot.moved = slot.tool == PALM, false, false, false
        fresh = fresh or {}
        fresh[index] = slot
      end
    elseif usage == X then
      slot.x = value
    elseif usage == Y then
      slot.y = value
    elseif usage == TOOL then
      slot.tool = value
      slot.is_palm = value == PALM
    elseif usage >= FIRST_BUTTON and usage <= LAST_BUTTON and value == 1 then
      clicks = true
    end
  end
  return clicks, fresh
end

-- Whether one of the fingers has gone far enough. Travel begins anew whenever their number changes.
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

-- A kept stroke ends with the last finger that moved: a thumb that rests would keep the pad dead.
local function ends(pad)
  local had, has = pad.had_moved, false
  for _, slot in pairs(pad.slots) do
    if counts(slot) and slot.moved then has = true end
  end
  pad.had_moved = had or has
  return had and not has
end

local function enter(pad, state)
  pad.state = state
  pad.had_moved = false
  if state == "hidden" or state == "kept" then pad.has_hidden = true end
end

-- The states: `open` (not hidden yet), `hidden` (until a verdict), `kept`, `given` (the desktop's).
local function decide(pad, clicks, fresh, time)
  local before, count = pad.count, 0
  for _, slot in pairs(pad.slots) do
    if counts(slot) then count = count + 1 end
  end
  pad.count = count
  for _, slot in pairs(fresh or {}) do slot.is_fifth = pad.is_blind and count >= 5 end
  if count == 0 then
    pad.has_hidden = false
    return enter(pad, "open")
  end
  if before == 0 then pad.since = time end
  local has_moved = travel(pad, count ~= before, time)
  if count > before and pad.state == "given" then enter(pad, "open") end
  if verdict and verdict ~= pad.heard and is_on(pad.since, time) then
    pad.heard = verdict
    enter(pad, verdict.keeps and "kept" or "given")
  end
  if pad.state == "open" and has_moved and allows(count) and not clicks then
    enter(pad, "hidden")
    pad.due = time + patience
  elseif pad.state == "hidden" then
    if clicks or time > pad.due or allowed == 0 or (count > before and not allows(count)) then enter(pad, "given") end
  elseif pad.state == "kept" and ends(pad) then
    for _, slot in pairs(pad.slots) do
      if slot.is_down then slot.is_left = true end
    end
    pad.count, pad.has_hidden = 0, false
    enter(pad, "open")
  end
end

local function wish(pad, slot)
  if not slot.is_left then
    local is_late = pad.has_hidden and slot.is_fifth
    slot.is_hidden = pad.state == "hidden" or pad.state == "kept" or is_late
  end
  if slot.is_hidden then return PALM end
  return slot.tool or FINGER
end

-- Puts the tools of new contacts into the frame, and leaves out what the pad says itself of hidden ones. Returns nil if
-- it stays as it is.
local function rewritten(pad, frame, fresh)
  local out
  local slot = slot_of(pad, pad.first)
  for index, event in ipairs(frame) do
    if event.usage == SLOT then slot = slot_of(pad, event.value) end
    local is_out = event.usage == TOOL and slot.is_hidden
    if event.usage == TOOL and not is_out then slot.told = event.value end
    local tool = slot.told
    if fresh and fresh[index] then
      tool = wish(pad, slot)
      -- libinput no longer counts the others for taps: alone, this one would be a tap of one finger. It is a finger
      -- from the next frame on
      if pad.has_hidden then tool = PALM end
    end
    if not out and (is_out or tool ~= slot.told) then out = table.move(frame, 1, index - 1, 1, {}) end
    if out and not is_out then out[#out + 1] = event end
    if tool ~= slot.told then
      out[#out + 1] = { usage = TOOL, value = tool }
      slot.told = tool
    end
  end
  return out
end

-- The contacts that libinput knows already change in a frame of their own before this one.
local function changes(pad, fresh)
  local out
  local is_new = {}
  for _, slot in pairs(fresh or {}) do is_new[slot] = true end
  for number, slot in pairs(pad.slots) do
    if slot.is_down and not is_new[slot] then
      local tool = wish(pad, slot)
      if tool ~= slot.told then
        out = out or {}
        out[#out + 1] = { usage = SLOT, value = number }
        out[#out + 1] = { usage = TOOL, value = tool }
        slot.told = tool
      end
    end
  end
  if out then out[#out + 1] = { usage = SLOT, value = pad.first } end
  return out
end

local pads = {}

local function pad_frame(device, frame, time)
  local pad = pads[device]
  pad.first = pad.slot
  local clicks, fresh = follow(pad, frame)
  decide(pad, clicks, fresh, time)
  local before = changes(pad, fresh)
  if before then device:prepend_frame(before) end
  return rewritten(pad, frame, fresh)
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
    end)
  elseif device:udev_properties()["ID_INPUT_TOUCHPAD"] then
    pads[device] = new_pad(device)
    if not pads[device] then return end
    device:connect("evdev-frame", pad_frame)
    device:connect("device-removed", function(gone) pads[gone] = nil end)
  end
end)
libinput:log_info("Gliss may keep strokes from this desktop")
