// Reports the focused window and the one under the pointer on the session bus, and acts on windows and
// workspaces, for GNOME 45 and newer.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Meta from 'gi://Meta';
import * as Main from 'resource:///org/gnome/shell/ui/main.js';

const INTERFACE = `<node><interface name="org.gliss.Focus">
  <method name="ActiveWindow"><arg type="s" direction="out"/></method>
  <signal name="ActiveWindowChanged"><arg type="s"/></signal>
  <method name="FollowPointer"><arg type="s" direction="out"/></method>
  <signal name="WindowUnderPointerChanged"><arg type="s"/></signal>
  <method name="Act"><arg type="s" direction="in"/><arg type="s" direction="out"/></method>
</interface></node>`;

function isMaximized(window) {
  return window.is_maximized ? window.is_maximized() : window.get_maximized() === Meta.MaximizeFlags.BOTH;
}

// GNOME 49 has other names for this
function maximize(window, on) {
  if (window.set_maximize_flags) {
    on ? window.set_maximize_flags(Meta.MaximizeFlags.BOTH) : window.set_unmaximize_flags(Meta.MaximizeFlags.BOTH);
  } else {
    on ? window.maximize(Meta.MaximizeFlags.BOTH) : window.unmaximize(Meta.MaximizeFlags.BOTH);
  }
}

// the shell's own tiling cannot be called
function tile(window, half) {
  if (window.is_fullscreen()) window.unmake_fullscreen();
  maximize(window, false);
  const area = window.get_work_area_current_monitor();
  const width = Math.floor(area.width / 2);
  window.move_resize_frame(true, area.x + half * width, area.y, width, area.height);
}

// A window, and what it is called.
class FollowedWindow {
  constructor(report) {
    this._report = report;
    this.window = null;
  }

  follow(window) {
    this.leave();
    this.window = window;
    if (window) this._handlers = ['notify::title', 'notify::wm-class'].map(name => window.connect(name, this._report));
    this._report();
  }

  leave() {
    if (this.window) this._handlers.forEach(handler => this.window.disconnect(handler));
    this.window = null;
  }

  describe() {
    const window = this.window;
    if (!window || Main.overview.visible) return '{}';
    return JSON.stringify({
      app_id: window.get_sandboxed_app_id() || window.get_gtk_application_id(),
      wm_class: window.get_wm_class(),
      wm_class_instance: window.get_wm_class_instance(),
      title: window.get_title(),
      pid: window.get_pid(),
    });
  }
}

function windowAt(x, y) {
  const workspace = global.workspace_manager.get_active_workspace();
  const isThere = window => {
    const area = window.get_frame_rect();
    return !window.minimized && window.located_on_workspace(workspace)
      && x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height;
  };
  const windows = global.get_window_actors().filter(actor => !actor.is_destroyed()).map(actor => actor.meta_window);
  return windows.reverse().find(isThere) || null;
}

// Follows the window under the pointer while any caller on the bus asks for it.
class Pointer {
  constructor(report) {
    this._callers = new Map();
    this._followed = new FollowedWindow(report);
    this._tracker = global.backend && global.backend.get_cursor_tracker
      ? global.backend.get_cursor_tracker() : Meta.CursorTracker.get_for_display(global.display);
  }

  add(caller) {
    if (this._callers.has(caller)) return;
    const watch = Gio.bus_watch_name(
      Gio.BusType.SESSION, caller, Gio.BusNameWatcherFlags.NONE, null, () => this._remove(caller));
    this._callers.set(caller, watch);
    if (this._callers.size === 1) this._start();
  }

  _remove(caller) {
    Gio.bus_unwatch_name(this._callers.get(caller));
    this._callers.delete(caller);
    if (this._callers.size === 0) this._stop();
  }

  removeAll() {
    Array.from(this._callers.keys()).forEach(caller => this._remove(caller));
  }

  _start() {
    const look = () => this.look();
    // until GNOME 40 it has another name
    try {
      this._handler = this._tracker.connect('position-invalidated', look);
    } catch (error) {
      this._handler = this._tracker.connect('cursor-moved', look);
    }
    if (this._tracker.track_position) this._tracker.track_position();
    this.look();
  }

  _stop() {
    this._tracker.disconnect(this._handler);
    if (this._tracker.untrack_position) this._tracker.untrack_position();
    this._leave();
  }

  _leave() {
    if (this._followed.window) this._followed.window.disconnect(this._end);
    this._followed.leave();
  }

  look() {
    if (this._callers.size === 0) return;
    const [x, y] = global.get_pointer();
    const window = windowAt(x, y);
    if (window === this._followed.window) return;
    this._leave();
    if (window) this._end = window.connect('unmanaged', () => this.look());
    this._followed.follow(window);
  }

  describe() {
    return this._followed.describe();
  }
}

export default class GlissFocus {
  enable() {
    this._object = Gio.DBusExportedObject.wrapJSObject(INTERFACE, this);
    this._object.export(Gio.DBus.session, '/org/gliss/Focus');
    this._active = new FollowedWindow(() => this._emit('ActiveWindowChanged', this._active.describe()));
    this._pointer = new Pointer(() => this._emit('WindowUnderPointerChanged', this._pointer.describe()));
    this._focus = global.display.connect('notify::focus-window', () => this._follow());
    this._overview = ['showing', 'hidden'].map(name => Main.overview.connect(name, () => this._report()));
    this._follow();
    // tells those that followed the pointer before to call again
    this._emit('WindowUnderPointerChanged', '');
  }

  // also called when the screen is locked
  disable() {
    global.display.disconnect(this._focus);
    this._overview.forEach(handler => Main.overview.disconnect(handler));
    this._pointer.removeAll();
    this._active.leave();
    this._report();
    this._object.flush();
    this._object.unexport();
    this._object = null;
  }

  ActiveWindow() {
    return this._active.describe();
  }

  // replies with the window under the pointer; signals follow until the caller leaves the bus
  FollowPointerAsync(parameters, invocation) {
    this._pointer.add(invocation.get_sender());
    invocation.return_value(new GLib.Variant('(s)', [this._pointer.describe()]));
  }

  // `action` is two words; the reply is empty, or says why the action was not done
  Act(action) {
    const [object, what] = action.split(' ');
    if (object === 'workspace') return this._switchWorkspace(what);
    if (!this._active.window || Main.overview.visible) return 'no window has the focus';
    return this._actOn(this._active.window, what);
  }

  _switchWorkspace(what) {
    const manager = global.workspace_manager;
    const current = manager.get_active_workspace_index();
    const last = manager.n_workspaces - 1;
    const index = what === 'next' ? Math.min(current + 1, last)
      : what === 'previous' ? Math.max(current - 1, 0) : Number(what) - 1;
    const workspace = index <= last ? manager.get_workspace_by_index(index) : null;
    if (!workspace) return `there are only ${last + 1} workspaces`;
    workspace.activate(global.get_current_time());
    return '';
  }

  _actOn(window, what) {
    switch (what) {
      case 'close': window.delete(global.get_current_time()); break;
      case 'minimize': window.minimize(); break;
      case 'maximize': maximize(window, !isMaximized(window)); break;
      case 'fullscreen': window.is_fullscreen() ? window.unmake_fullscreen() : window.make_fullscreen(); break;
      case 'tile-left': tile(window, 0); break;
      case 'tile-right': tile(window, 1); break;
      default: return `GNOME's extension does not know ${what}`;
    }
    return '';
  }

  _follow() {
    this._active.follow(global.display.focus_window);
    this._pointer.look();
  }

  _report() {
    this._emit('ActiveWindowChanged', this._active.describe());
    this._emit('WindowUnderPointerChanged', this._pointer.describe());
  }

  _emit(signal, text) {
    this._object.emit_signal(signal, new GLib.Variant('(s)', [text]));
  }
}
