// Names of header fields do not depend on upper and lower case (RFC 9110, section 5.1).

extension [String: String] {
  /// Sets a header field, and removes fields whose names differ only in case; nil removes the field.
  package mutating func setHeader(_ name: String, to value: String?) {
    guard let value else { return removeHeaders(named: name, except: nil) }
    // In most cases there is no field with this name, or exactly one that is written in this case.
    if updateValue(value, forKey: name) == nil { removeHeaders(named: name, except: name) }
  }

  /// Sets several header fields; see ``setHeader(_:to:)``.
  package mutating func setHeaders(_ fields: [String: String]) {
    for (name, value) in fields { setHeader(name, to: value) }
  }

  /// True if there is a header field of this name.
  package func hasHeader(_ name: String) -> Bool { keys.contains(where: name.isSameHeader) }

  private mutating func removeHeaders(named name: String, except kept: String?) {
    for other in keys where other.isSameHeader(as: name) && other != kept { self[other] = nil }
  }
}

extension String {
  fileprivate func isSameHeader(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
