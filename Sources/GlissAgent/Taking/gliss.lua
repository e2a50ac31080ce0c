-- Gliss: hides strokes that rules consume (`consume: true`) from this desktop. `gliss take on`
-- installs this file.
--
-- libinput calls it for every frame of every touchpad and of the control (see below). It turns the
-- contacts of a stroke into palms, which libinput ignores, and back into fingers if no rule wants
-- the stroke. It does not change anything else: pointing, scrolling, taps, holds and clicks stay as
-- they are. Gliss has a virtual device, the control, that says which strokes may be consumed. If
-- the control disappears because Gliss has ended, the desktop gets every stroke that is not kept
-- already.
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
-- finger count may be consumed and one of its fingers has moved about a millimetre, it is hidden
-- until a verdict comes. Without a verdict it is given back after `patience`, at a click, or when
-- more fingers land than may be consumed. A later verdict replaces an earlier one. A stroke that is
-- given back loses none of its motion: its contacts begin where they were when they were hidden,
-- and then catch up. The lifts of its fingers wait until the verdict has come and the contacts have
-- caught up.

local NAME, VENDOR, VERSION = "Gliss control", 0x676c, 0x10
-- How far a finger must move before its stroke is hidden, in mm: `early` in the first 150 ms after
-- a finger has landed or lifted, and `late` after that. In those 150 ms libinput takes a motion of
-- up to 1.3 mm for part of a tap, and begins no swipe below 2.0 mm. After that it begins one at 1.0
-- mm.
local early, late, reaches_until = 1.3, 0.95, 150000
local patience = 120000 -- microseconds; Gliss usually decides within 50 ms
local loss = 60000 -- microseconds for which a pad loses a contact, at most: no finger lands again so soon
-- How much faster contacts that catch up may become from one frame to the next, and how fast they
-- may be at most, in mm per ms. libinput sees a jump if a contact moves 20 mm in 12 ms, or 7 mm
-- more than before.
local pace, top_speed = 0.45, 1.5
-- They go at most half of the way in each of the first two frames, but at least this far, in mm.
local least_step = 0.4
-- How often they move nearer while a lift waits, and otherwise how long to wait for the pad's next
-- frame, or after a frame that catches up, in microseconds. After 30 ms without a frame, libinput
-- sees no jump.
local step, stillness, own_step = 8000, 35000, 16000
local lifting = 60000 -- microseconds from the first lift of a stroke to the last, at most
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

-- Has the timer decide hidden strokes soon, so that they do not wait for the pad's next frame.
local function decide_soon()
  for _, pad in pairs(pads) do
    if pad.state == "hidden" then libinput:timer_set_relative(1) end
  end
end

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
  decide_soon()
  return {}
end

-- Whether the verdict is about the stroke that began at `since`. Its time may be ahead of the pad's
-- by up to a second, and its 32 bits start over every 71 minutes.
local function is_on(since, now) return (verdict.time - since) & 0xffffffff <= now - since + 1000000 end

-- THE TOUCHPAD. A slot keeps its position and its tool after its contact has lifted, and a new
-- contact sends only what differs. So both are stored for each slot:
--   x, y     the last position          is_down, is_palm   as the pad reports it
--   x0, y0   where its travel began     sent               the tool that libinput knows
--   shown_x, shown_y                    the position for libinput, if it is not the pad's
--   is_misplaced                        libinput has not received that position yet
--   speed                               how fast it catches up, in mm per ms
--   is_hidden                           libinput must see it as a palm
--   moved                               it has moved far enough (`early`, `late`)
--   is_fifth                            libinput ignored it, and would later take it for a tap
--   is_left                             it stayed down when a kept stroke ended, as a thumb may
-- From the first lift on, frames wait in `waiting` while the stroke has no verdict, or while its
-- contacts have not caught up. After that they are passed on late by `delay`, at the pad's own
-- pace. All the rest pass at once after the frame at `ended`, with which the stroke ends. All pass
-- at once at a click, and if one of the stroke's contacts (`counted`) is still down after
-- `lifting`.

local function new_pad(device)
  local axes = device:absinfos()
  if not axes[SLOT] or axes[SLOT].maximum < 2 or not axes[X] or not axes[Y] then return nil end
  -- the size that libinput assumes for pads that do not report theirs
  local function resolution(axis, size)
    local known = axes[axis].resolution or 0
    return known > 0 and known or math.max(1, (axes[axis].maximum - axes[axis].minimum) / size)
  end
  if not axes[TOOL] then device:set_absinfo(TOOL, { minimum = 0, maximum = PALM }) end
  -- if a pad measures neither pressure nor size, libinput ignores a finger that lands as the fifth
  local is_blind = not axes[evdev.ABS_MT_PRESSURE] and not axes[evdev.ABS_MT_TOUCH_MAJOR]
  return { slot = 0, slots = {}, count = 0, state = "open", is_blind = is_blind, last = 0, waiting = {}, buttons = 0,
    rx = resolution(X, 69), ry = resolution(Y, 50) }
end

local function slot_of(pad, number)
  local slot = pad.slots[number]
  if not slot then
    slot = { sent = FINGER, is_down = false, is_palm = false }
    pad.slots[number] = slot
  end
  return slot
end

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

-- Ends the contacts that are not new: the pad was empty until this frame. libinput does not pass on
-- what lifts while the desktop has disabled the pad.
local function forget(pad, fresh)
  local new = {}
  for _, slot in pairs(fresh or {}) do new[slot] = true end
  for _, slot in pairs(pad.slots) do slot.is_down = new[slot] or false end
  pad.count, pad.state, pad.had_moved, pad.has_hidden, pad.may_hide = 0, "open", false, false, false
  pad.buttons = 0
end

-- Reads a frame into the slots. Returns whether a button went down, and the slots of new contacts,
-- by the index of their event; nil if there are none.
local function follow(pad, frame)
  local clicks, has_gap, fresh = false, false, nil
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
        slot.is_misplaced = slot.shown_x ~= nil
        slot.shown_x, slot.shown_y = nil, nil
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
  return clicks, fresh
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

-- Whether a kept stroke ends. It ends when the last finger that moved has lifted, because otherwise
-- a resting thumb would block the pad.
local function ends(pad)
  local had, has = pad.had_moved, has_moved(pad)
  pad.had_moved = had or has
  return had and not has
end

local function enter(pad, state)
  pad.state = state
  pad.had_moved = false
  if state == "hidden" or state == "kept" then pad.has_hidden = true end
end

-- Whether the last verdict is about a stroke after the one whose end waits.
local function is_later(pad) return pad.ended and (verdict.time - pad.ended - 1) & 0xffffffff < 0x80000000 end

-- Applies a new verdict if it is about this stroke.
local function hear(pad, time)
  if not pad.may_hide or not verdict or verdict == pad.heard or not is_on(pad.since, time) then return end
  if is_later(pad) then return end
  pad.heard = verdict
  -- the fingers drag something on the desktop
  if verdict.keeps and pad.buttons ~= 0 then return end
  -- a hidden stroke has moved; note that now, because its fingers may lift in the next frame
  local had_moved = pad.state == "hidden" or pad.had_moved or has_moved(pad)
  enter(pad, verdict.keeps and "kept" or "given")
  pad.had_moved = had_moved
end

-- Updates the state: `open` (not hidden yet), `hidden` (until a verdict), `kept` (hidden to its
-- end), or `given` (given back to the desktop).
local function decide(pad, clicks, fresh, time)
  local before, count = pad.count, 0
  for _, slot in pairs(pad.slots) do
    if counts(slot) then count = count + 1 end
  end
  pad.count = count
  for _, slot in pairs(fresh or {}) do slot.is_fifth = pad.is_blind and count >= 5 end
  if count == 0 then
    pad.has_hidden, pad.may_hide = false, false
    return enter(pad, "open")
  end
  if before == 0 then pad.since = time end
  if allows(count) then pad.may_hide = true end
  -- libinput knows what the fingers did with a held button
  local is_dragging = pad.state == "open" and pad.buttons ~= 0
  local is_back = before > 0 and count <= pad.most and time - pad.changed <= loss
  pad.most = before == 0 and count or math.max(pad.most, count)
  local has_moved = travel(pad, count ~= before or is_dragging, time)
  if count > before and pad.state == "given" and not is_back then enter(pad, "open") end
  hear(pad, time)
  if pad.state == "open" and has_moved and allows(count) and pad.buttons == 0 then
    enter(pad, "hidden")
    pad.due = time + patience
  elseif pad.state == "hidden" then
    if clicks or time > pad.due or allowed == 0 or (count > before and not allows(count)) then enter(pad, "given") end
  elseif pad.state == "kept" and ends(pad) then
    for _, slot in pairs(pad.slots) do
      if slot.is_down then slot.is_left = true end
    end
    pad.count, pad.has_hidden, pad.may_hide = 0, false, false
    enter(pad, "open")
  end
end

-- Sets which contacts are hidden in this state. A hidden contact is shown where its travel began.
local function update(pad, fresh)
  local hides = pad.state == "hidden" or pad.state == "kept"
  for _, slot in pairs(pad.slots) do
    if slot.is_down and not slot.is_left then
      slot.is_hidden = hides or (pad.has_hidden and slot.is_fifth) or false
    end
    if slot.is_hidden and counts(slot) and slot.x0 and (slot.shown_x ~= slot.x0 or slot.shown_y ~= slot.y0) then
      slot.shown_x, slot.shown_y, slot.speed = slot.x0, slot.y0, 0
      slot.is_misplaced = slot.is_misplaced or not fresh[slot]
    end
  end
end

local function wanted(slot) return slot.is_hidden and PALM or slot.tool or FINGER end

local function is_pending(slot) return slot.is_down and wanted(slot) ~= slot.sent end

-- Whether libinput knows it as a finger, but not yet at the pad's position.
local function is_behind(slot) return slot.is_down and slot.shown_x and not slot.is_hidden and slot.sent ~= PALM end

local function is_unfinished(pad)
  return pad.state == "given" and pad.has_hidden and (any(pad, is_pending) or any(pad, is_behind))
end

-- Moves the shown position of a contact that is behind nearer to the pad's, and returns it.
local function approach(pad, slot, clicks, time)
  local dx, dy = (slot.x - slot.shown_x) / pad.rx, (slot.y - slot.shown_y) / pad.ry
  local length = (dx * dx + dy * dy) ^ 0.5
  local wait = math.max(0, time - pad.last)
  local is_beginning = slot.speed < 1.5 * pace
  slot.speed = math.min(slot.speed + pace, top_speed)
  -- after a pause libinput sees no jump
  local reach = wait >= stillness and math.huge or wait / 1000 * slot.speed
  -- whatever libinput decides takes a frame of the way, and a pinch begins two frames later
  if is_beginning then reach = math.min(reach, math.max(length / 2, least_step)) end
  -- at a click libinput ignores the motion of the contact
  if clicks or length <= reach then
    slot.shown_x, slot.shown_y = nil, nil
    return slot.x, slot.y
  end
  slot.shown_x = math.floor(slot.shown_x + dx * reach / length * pad.rx + 0.5)
  slot.shown_y = math.floor(slot.shown_y + dy * reach / length * pad.ry + 0.5)
  return slot.shown_x, slot.shown_y
end

-- Appends new positions of contacts that libinput knows: those that were given back in an earlier
-- frame move nearer to the pad's. libinput measures motion from the position that a contact has in
-- the frame that makes it a finger.
local function place(pad, fresh, clicks, must_wait, time, out)
  for number, slot in pairs(pad.slots) do
    if slot.is_down and not fresh[slot] and slot.shown_x then
      local x, y
      if is_behind(slot) or (clicks and not slot.is_hidden) then
        x, y = approach(pad, slot, clicks, time)
      elseif slot.is_misplaced and not (must_wait and slot.is_hidden and slot.sent ~= PALM) then
        x, y = slot.shown_x, slot.shown_y
      end
      if x then
        slot.is_misplaced = false
        table.move({ { usage = SLOT, value = number }, { usage = X, value = x }, { usage = Y, value = y } }, 1, 3,
          #out + 1, out)
      end
    end
  end
end

-- Appends the tools of contacts that libinput knows.
local function change(pad, fresh, out)
  for number, slot in pairs(pad.slots) do
    if not fresh[slot] and is_pending(slot) then
      slot.sent = wanted(slot)
      out[#out + 1] = { usage = SLOT, value = number }
      out[#out + 1] = { usage = TOOL, value = slot.sent }
    end
  end
end

-- Appends the pad's frame, with the tools of new contacts, and without what the pad reports about
-- hidden ones. Returns whether the result differs from the frame.
local function pass(pad, first, frame, fresh, out)
  local differs = #out > 0
  if differs then out[#out + 1] = { usage = SLOT, value = first } end
  local slot = slot_of(pad, first)
  for _, event in ipairs(frame) do
    local usage = event.usage
    if usage == SLOT then slot = slot_of(pad, event.value) end
    local is_fresh = fresh[slot]
    if usage == TOOL and (slot.is_hidden or is_fresh and pad.has_hidden) or (usage == X or usage == Y) and slot.shown_x and not is_fresh then
      differs = true
    else
      out[#out + 1] = event
      if usage == TOOL then slot.sent = event.value end
    end
    if usage == TRACKING and event.value >= 0 and is_fresh then
      -- the pad does not send a position that is the same as that of the slot's last contact
      if slot.is_misplaced and slot.x and slot.y then
        out[#out + 1] = { usage = X, value = slot.x }
        out[#out + 1] = { usage = Y, value = slot.y }
        slot.is_misplaced, differs = false, true
      end
      -- libinput no longer counts the others for taps, so this one would be a one-finger tap. It is
      -- a palm in this frame, and becomes a finger in the next
      local tool = pad.has_hidden and PALM or wanted(slot)
      if tool ~= slot.sent then
        out[#out + 1] = { usage = TOOL, value = tool }
        slot.sent, differs = tool, true
      end
    end
  end
  return differs
end

-- Returns the events that libinput gets in place of the frame, or nil if it gets the frame itself.
-- Calls `put` with a frame that must come before it, if there is one.
local function process(pad, frame, time, put)
  local first = pad.slot
  local clicks, new = follow(pad, frame)
  decide(pad, clicks, new, time)
  local fresh = {}
  for _, slot in pairs(new or {}) do fresh[slot] = true end
  update(pad, fresh)
  -- otherwise the others would be fingers before libinput knows the new one, and seem a tap of
  -- fewer
  local must_wait = not clicks and next(fresh) ~= nil
  local out = {}
  place(pad, fresh, clicks, must_wait, time, out)
  if not must_wait then change(pad, fresh, out) end
  if #out > 0 and #out + 2 * #frame > most then
    out[#out + 1] = { usage = SLOT, value = first }
    put(out)
    out = {}
  end
  local differs = pass(pad, first, frame, fresh, out)
  pad.last, pad.is_own = time, false
  if differs then return out end
end

-- WAITING

local function catch_up(device, pad, time)
  local out = {}
  place(pad, {}, false, false, time, out)
  change(pad, {}, out)
  pad.last, pad.is_own = time, true
  if #out == 0 then return end
  out[#out + 1] = { usage = SLOT, value = pad.slot }
  device:append_frame(out)
end

local function earlier(one, other) return one and other and math.min(one, other) or one or other end

-- When something must be done for a pad, if nothing happens before.
local function due(pad)
  local next_frame = pad.waiting[1]
  local limit = next_frame and not pad.ended and pad.waits_since + lifting or nil
  if pad.state == "hidden" then return earlier(pad.due, limit) end
  if next_frame then
    local is_ready = pad.delay and not is_unfinished(pad)
    return earlier(is_ready and next_frame.time + pad.delay or pad.last + step, limit)
  end
  if any(pad, is_pending) or any(pad, is_behind) then return pad.last + (pad.is_own and own_step or stillness) end
end

local function set_timer(now)
  local first
  for _, pad in pairs(pads) do
    local time = due(pad)
    if time and (not first or time < first) then first = time end
  end
  if first then
    libinput:timer_set_absolute(math.max(first, now + 1))
  else
    libinput:timer_cancel()
  end
end

-- Passes on the next waiting frame. Returns whether the stroke ends with it. Frames that are passed
-- with the same `time` count as simultaneous, so contacts do not catch up between them.
local function pass_next(pad, put, time)
  local entry = table.remove(pad.waiting, 1)
  local is_end = entry.time == pad.ended
  local out = process(pad, entry.frame, time or entry.time, put) or entry.frame
  if #out > 0 then put(out) end
  if is_end then pad.ended = nil end
  if not pad.waiting[1] then pad.delay, pad.ended = nil, nil end
  return is_end
end

local function pass_all(pad, put, time)
  while pad.waiting[1] do pass_next(pad, put, time) end
end

local function advance(device, pad, now)
  local function put(frame) device:append_frame(frame) end
  -- a verdict on a later stroke means that none will come for this one
  if pad.waiting[1] and verdict and verdict ~= pad.heard and is_later(pad) then pass_all(pad, put) end
  if pad.state == "hidden" then
    hear(pad, now)
    if pad.state == "hidden" and (now >= pad.due or allowed == 0) then enter(pad, "given") end
    update(pad, {})
  end
  local time = due(pad)
  while time and time <= now do
    if pad.waiting[1] and not pad.ended and pad.waits_since + lifting <= now then
      pass_all(pad, put, now)
    elseif not pad.waiting[1] or is_unfinished(pad) then
      if pad.state == "hidden" then break end
      catch_up(device, pad, now)
    else
      pad.delay = pad.delay or now - pad.waiting[1].time
      -- frames after the end of the stroke belong to the next one
      if pass_next(pad, put) then pass_all(pad, put) end
    end
    time = due(pad)
  end
end

libinput:connect("timer-expired", function(now)
  for device, pad in pairs(pads) do advance(device, pad, now) end
  set_timer(now)
end)

-- Returns the slots whose contacts lift in a frame, and whether a button goes down.
local function ends_of(pad, frame)
  local lifted, clicks = {}, false
  for _, event in ipairs(frame) do
    local usage = event.usage
    if usage == SLOT then
      pad.late_slot = event.value
    elseif usage == TRACKING and event.value < 0 then
      lifted[pad.late_slot] = true
    elseif usage >= FIRST_BUTTON and usage <= LAST_BUTTON and event.value == 1 then
      clicks = true
    end
  end
  return lifted, clicks
end

-- Whether the frame must wait, together with those before it. Notes when the last finger of the
-- stroke has lifted.
local function waits(pad, lifted, time)
  if not pad.waiting[1] then
    if pad.state ~= "hidden" and not is_unfinished(pad) then return false end
    local has_lift = false
    pad.counted, pad.waits_since = {}, time
    for number, slot in pairs(pad.slots) do
      if counts(slot) then
        pad.counted[number] = true
        has_lift = has_lift or lifted[number]
      end
    end
    if not has_lift then return false end
  end
  for number in pairs(lifted) do pad.counted[number] = nil end
  if not pad.ended and not next(pad.counted) then pad.ended = time end
  return true
end

local function pad_frame(device, frame, time)
  local pad, out = pads[device], nil
  local function put(before) device:prepend_frame(before) end
  if not pad.waiting[1] then pad.late_slot = pad.slot end
  local lifted, clicks
  if pad.has_hidden or pad.waiting[1] then
    lifted, clicks = ends_of(pad, frame)
    if clicks then pass_all(pad, put, time) end
  end
  if lifted and not clicks and waits(pad, lifted, time) then
    pad.waiting[#pad.waiting + 1] = { frame = frame, time = time }
    out = {}
  else
    out = process(pad, frame, time, put)
  end
  if pad.has_hidden or pad.has_timer then
    pad.has_timer = pad.has_hidden
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
