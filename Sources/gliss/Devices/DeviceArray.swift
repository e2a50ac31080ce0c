import Gliss

/// The devices as JSON. Unknown values are left out.
enum DeviceArray {
  static func bytes(of reports: [DeviceReport]) -> [UInt8] {
    JSONObject.array(of: reports.map(object), oneALine: true) + [UInt8(ascii: "\n")]
  }

  private static func object(_ report: DeviceReport) -> JSONObject {
    let found = report.found
    var object = JSONObject()
    object.add("path", found.path)
    object.add("name", found.name)
    object.add("classes", report.classes.words)
    object.add("seat", found.seat)
    object.add("bus", found.identifier.busName)
    object.add("vendor", found.identifier.vendorText)
    object.add("product", found.identifier.productText)
    object.add("size_mm", report.size?.millimetres)
    object.add("size_assumed", report.size?.isAssumed)
    object.add("slots", report.slotCount)
    object.add("readable", report.refusal == nil)
    object.add("problem", report.refusal?.problem)
    object.add("advice", report.refusal?.advice)
    return object
  }
}
