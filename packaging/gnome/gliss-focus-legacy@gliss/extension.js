// Reports the focused window on the session bus, and acts on it and on workspaces, for GNOME 3.36 to 44.
const {Gio, GLib, Meta} = imports.gi;
const Main = imports.ui.main;

const INTERFACE = `<node><interface name="org.gliss.Focus">
  <method name="ActiveWindow"><arg type="s" direction="out"/></method>
  <signal name="ActiveWindowChanged"><arg type="s"/></signal>
  <method name="Act"><arg type="s" direction="in"/><arg type="s" direction="out"/></method>
</interface></node>`;

function isMaximized(window) {
  return window.is_maximized ? window.is_maximized() : window.get_maximized() === Meta.MaximizeFlags.BOTH;
}

// GNOME 49 has other names for it
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

class GlissFocus {
  enable() {
    this._object = Gio.DBusExportedObject.wrapJSObject(INTERFACE, this);
    this._object.export(Gio.DBus.session, '/org/gliss/Focus');
    this._focus = global.display.connect('notify::focus-window', () => this._follow());
    this._overview = ['showing', 'hidden'].map(name => Main.overview.connect(name, () => this._report()));
    this._follow();
  }

  // also called when the screen is locked
  disable() {
    global.display.disconnect(this._focus);
    this._overview.forEach(handler => Main.overview.disconnect(handler));
    this._leave();
    this._report();
    this._object.flush();
    this._object.unexport();
    this._object = null;
  }

  ActiveWindow() {
    const window = this._window;
    if (!window || Main.overview.visible) return '{}';
    return JSON.stringify({
      app_id: window.get_sandboxed_app_id() || window.get_gtk_application_id(),
      wm_class: window.get_wm_class(),
      wm_class_instance: window.get_wm_class_instance(),
      title: window.get_title(),
      pid: window.get_pid(),
    });
  }

  // what is to be done, in two words; the answer is empty, or says why it is not done
  Act(action) {
    const [object, what] = action.split(' ');
    if (object === 'workspace') return this._switchWorkspace(what);
    if (!this._window || Main.overview.visible) return 'no window has the focus';
    return this._actOn(this._window, what);
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
    this._leave();
    this._window = global.display.focus_window;
    if (this._window) {
      this._handlers = ['notify::title', 'notify::wm-class'].map(
        name => this._window.connect(name, () => this._report()));
    }
    this._report();
  }

  _leave() {
    if (this._window) this._handlers.forEach(handler => this._window.disconnect(handler));
    this._window = null;
  }

  _report() {
    this._object.emit_signal('ActiveWindowChanged', new GLib.Variant('(s)', [this.ActiveWindow()]));
  }
}

function init() { return new GlissFocus(); }
