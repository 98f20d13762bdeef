
// Paints frames, texts of signs of which each is a colour.
class FramePainter {
  constructor(colours) {
    this.colours = colours;
    this.signs = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    this.wheel = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  }

  // Red, green and blue of a colour; names that a browser does not know get a colour of their own.
  rgb(name, number) {
    this.wheel.fillStyle = CSS.supports("color", name) ? name : `hsl(${number * 137 % 360} 60% 50%)`;
    this.wheel.fillRect(0, 0, 1, 1);
    return this.wheel.getImageData(0, 0, 1, 1).data;
  }

  // Paints a frame of a play; `shade` gives how bright a cell is.
  paint(canvas, play, frame, shade = () => 1) {
    const {width, height} = play;
    play.palette ||= (play.colours || this.colours).map((name, number) => this.rgb(name, number));
    [canvas.width, canvas.height] = [width, height];
    if (!frame) return;
    const context = canvas.getContext("2d"), image = context.createImageData(width, height);
    [...frame].forEach((sign, i) => {
      const colour = play.palette[this.signs.indexOf(sign)] || [0, 0, 0], light = shade(i);
      for (let k = 0; k < 3; k++) image.data[4 * i + k] = 128 + (colour[k] - 128) * light;
      image.data[4 * i + 3] = 255;
    });
    context.putImageData(image, 0, 0);
  }
}
