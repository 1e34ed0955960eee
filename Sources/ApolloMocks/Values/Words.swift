/// Short texts of plain words, for screens whose layout depends on text.
enum Words {
  private static let all = """
    acorn amber anchor apple april arrow autumn badge bamboo basket beach bell berry birch blossom blue boat bottle branch \
    bread breeze bridge bright brook brush butter button cabin calm candle canvas canyon captain carpet castle cedar chalk \
    cherry circle clay clear cliff cloud clover coast cobalt coffee comet copper coral cotton crane creek crystal daisy dawn \
    delta desert dew diamond dolphin dove dream dune dusk eagle early earth echo elm ember emerald evening fabric falcon \
    feather fern field finch fire flag flame flint flower foam forest fountain fox frost garden ginger glacier glass gold \
    grain granite grass green grove harbor hazel heather hill honey horizon ice indigo iris iron island ivory ivy jade \
    jasmine juniper kettle kite lagoon lake lantern lark laurel lavender leaf lemon light lilac lily linen lion lotus \
    lunar maple marble marigold meadow mellow merry mint mirror mist moon morning moss mountain myrtle needle nest night \
    north oak oasis ocean olive onyx opal orange orchard orchid otter owl palm paper pearl pebble pepper pine plain plum \
    pocket poppy prairie quartz quiet rain raven reed ribbon ridge river robin rocket root rose ruby saffron sage sail sand \
    sapphire sea shadow shell shore silver sky slate snow solar sparrow spring star stone storm stream sugar summer sun \
    swift tea thistle thunder tide tiger timber topaz valley velvet violet walnut water wave wheat willow wind winter wolf \
    wonder yellow
    """.split(separator: " ").map(String.init)

  /// From two to four words, the first of which begins with a capital letter.
  static func text(_ draw: inout Draw) -> String {
    let words = (0..<draw.number(in: 2...4)).map { _ in draw.element(of: all) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
