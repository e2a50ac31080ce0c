import GlissEvents
import GlissYaml

extension Form where Value == DeviceMatch {
  /// The devices that are meant.
  static let device = Form.table(
    { DeviceTable.table }, schema: { ["$ref": "#/$defs/device"] }, start: { DeviceMatch() },
    finish: { match, given, reader in
      if given.pairs.isEmpty {
        reader.report("this matches every device: leave it out, or give it a name", at: given.node)
      }
      return match
    })
}

enum DeviceTable {
  static let table = Table<DeviceMatch>(
    name: "a device", summary: "All that is named must fit. `gliss devices` lists what there is.",
    fields: [
      Field(
        "name", .text("a device's name", "\"ELAN*\""),
        "The device's name; `*` stands for anything, `?` for one character, and case does not count."
      ) { $0.name = $1 },
      Field("id", .identifier, "Vendor and product, as lsusb and udev write them.") {
        $0.vendorAndProduct = $1
      },
      Field(
        "kind", .choice("a kind of device", DeviceMatch.Kind.allCases.map { ($0.rawValue, $0) }),
        "What it is."
      ) { $0.kind = $1 },
    ])
}

extension Form where Value == DeviceMatch.VendorAndProduct {
  static var identifier: Form {
    let words = FormWords(
      what: "vendor and product, four hexadecimal digits each", examples: ["04f3:0676"])
    var form = Form(
      "", schema: { ["type": "string", "pattern": "^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}$"] }
    ) { node, reader in
      let parts = (reader.word(node) ?? "").split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 4 && $0.first != "+" }),
        let vendor = UInt16(parts[0], radix: 16), let product = UInt16(parts[1], radix: 16)
      else {
        reader.expected(words, at: node)
        return nil
      }
      return DeviceMatch.VendorAndProduct(vendor: vendor, product: product)
    }
    form.words = words
    return form
  }
}
