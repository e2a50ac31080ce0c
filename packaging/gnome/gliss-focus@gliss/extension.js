// Reports the focused window on the session bus, for GNOME 45 and newer.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import * as Main from 'resource:///org/gnome/shell/ui/main.js';

const INTERFACE = `<node><interface name="org.gliss.Focus">
  <method name="ActiveWindow"><arg type="s" direction="out"/></method>
  <signal name="ActiveWindowChanged"><arg type="s"/></signal>
</interface></node>`;

export default class GlissFocus {
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
