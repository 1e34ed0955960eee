public import ApolloAPI
public import Foundation

// What an app hands to Foundation, such as a JSON scalar to JSONSerialization, becomes what JSONSerialization itself
// would have there. Without this a null that a server sends would end the app on Apple's systems: JSONSerialization
// raises an exception, which Swift does not catch, for a value of any other type.

/// A null of JSON is the null of `JSONSerialization`, and can be cast to it.
extension JSONNull: _ObjectiveCBridgeable {
  /// The null of Foundation.
  public func _bridgeToObjectiveC() -> NSNull { NSNull() }

  /// Makes a null of that of Foundation.
  public static func _forceBridgeFromObjectiveC(_ source: NSNull, result: inout JSONNull?) { result = JSONNull() }

  /// Makes a null of that of Foundation.
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNull, result: inout JSONNull?) -> Bool {
    result = JSONNull()
    return true
  }

  /// Makes a null of that of Foundation.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNull?) -> JSONNull { JSONNull() }
}

/// A number of JSON is a number of `JSONSerialization`, and can be cast to it. The other cast fails: what Foundation
/// has as a number stays one of Foundation.
extension JSONNumber: _ObjectiveCBridgeable {
  /// The nearest number of Foundation.
  public func _bridgeToObjectiveC() -> NSNumber { FoundationJSON.number(self) }

  /// Makes a number of the digits of one of Foundation.
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout JSONNumber?) {
    result = JSONNumber(text: "\(source)")
  }

  /// Makes no number: one of Foundation stays what it is.
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout JSONNumber?) -> Bool { false }

  /// Makes a number of the digits of one of Foundation.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> JSONNumber {
    JSONNumber(text: source.map { "\($0)" } ?? "0")
  }
}
