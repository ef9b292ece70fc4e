import { render } from "preact";
import { App } from "./app.js";
import { readExample } from "./example.js";
import { fromLink } from "./link.js";
import { Service, told } from "./service.js";
import "./style.css";

const page = document.getElementById("page");
if (!page) throw new Error("no place for the page");

const example = readExample();
let first = example;
let trouble: string | undefined;
try {
  first = await fromLink(location.hash.slice(1), example);
} catch (error) {
  trouble = `This link is damaged (${told(error).text}); here is the example instead.`;
}
render(<App service={new Service()} first={first} example={example} trouble={trouble} />, page);
