/// The whole seconds of a time, or what is nearest to them in 64 bits; 0 for a time that is not a number.
///
/// A conversion to `Int` ends the program where `Int` has 32 bits, from 2038 on or when a clock is wrong.
///
/// - Parameter time: The time in seconds, from any beginning.
/// - Returns: The seconds, without their fraction.
package func wholeSeconds(_ time: Double) -> Int64 {
  let seconds = time.rounded(.towardZero)
  return Int64(exactly: seconds) ?? (seconds > 0 ? .max : seconds < 0 ? .min : 0)
}
