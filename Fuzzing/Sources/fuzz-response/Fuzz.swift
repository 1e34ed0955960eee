import FuzzModels

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Check.response(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
