import FuzzModels
import ResponseStyles

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Check.response(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// What libFuzzer does by itself to an input.
@_silgen_name("LLVMFuzzerMutate")
func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int) -> Int

/// One input of eight is only written in another style of JSON.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  guard seed % 8 == 0 else { return mutate(start, count, capacity) }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let restyled = JSONStyle(seed: UInt64(seed / 8)).restyle(bytes)
  guard restyled != bytes, restyled.count <= capacity else { return mutate(start, count, capacity) }
  start.update(from: restyled, count: restyled.count)
  return restyled.count
}
